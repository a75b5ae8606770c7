-- put_draw: items drawn for people to mark, in their order.
-- Needs: $run, $draw, $drawn_at, $arms VARCHAR, $seed BIGINT, $items VARCHAR[],
--        $probability DOUBLE (the same for all items).
-- Gives: nothing; a draw that is there becomes the newest again.
INSERT INTO draws BY NAME
SELECT
    $run AS run,
    $draw AS draw,
    unnest(range(len($items)))::INTEGER AS position,
    unnest($items) AS item,
    $probability AS probability,
    $arms AS arms,
    $seed AS seed,
    $drawn_at AS drawn_at
ON CONFLICT DO UPDATE SET drawn_at = excluded.drawn_at
