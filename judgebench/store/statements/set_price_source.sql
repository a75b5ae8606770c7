-- set_price_source: where the price of a pass's calls comes from; a second source is added.
-- Needs: $pass_id, $price_source VARCHAR.
-- Gives: nothing.
UPDATE passes SET
    price_source = CASE
        WHEN price_source IS NULL THEN $price_source
        WHEN contains(price_source, $price_source) THEN price_source
        ELSE concat(price_source, '; ', $price_source)
    END
WHERE pass_id = $pass_id
