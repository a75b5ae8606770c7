-- put_given: marks that people gave, each with its file.
-- Needs: $run, $file, $given_at VARCHAR; $items, $arms, $others, $criteria, $raters VARCHAR[],
--        $marks DOUBLE[], all of one length.
-- Gives: nothing.
INSERT INTO given_marks BY NAME
SELECT
    $run AS run,
    (
        SELECT coalesce(max(g.entry) + 1, 0) FROM given_marks AS g
        WHERE g.run = $run
    ) + unnest(range(len($items))) AS entry,
    $file AS file,
    unnest($items) AS item,
    unnest($arms) AS arm,
    unnest($others) AS other,
    unnest($criteria) AS criterion,
    unnest($raters) AS rater,
    unnest($marks) AS mark,
    $given_at AS given_at
