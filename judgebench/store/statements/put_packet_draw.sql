-- put_packet_draw: answers drawn for people to mark, and those that could have been.
-- Needs: $run, $draw, $drawn_at VARCHAR, $seed BIGINT; $items, $arms VARCHAR[],
--        $strata INTEGER[], $probabilities DOUBLE[], $populations BIGINT[],
--        $chosen BOOLEAN[], all of one length.
-- Gives: nothing; a draw that is there becomes the newest again.
INSERT INTO packet_draws BY NAME
SELECT
    $run AS run,
    $draw AS draw,
    unnest(range(len($items)))::INTEGER AS position,
    unnest($items) AS item,
    unnest($arms) AS arm,
    unnest($strata) AS stratum,
    unnest($probabilities) AS probability,
    unnest($populations) AS population,
    unnest($chosen) AS chosen,
    $seed AS seed,
    $drawn_at AS drawn_at
ON CONFLICT DO UPDATE SET drawn_at = excluded.drawn_at
