-- noise_drawn: outputs that a pass has ever planned to judge again for the noise.
-- Needs: $pass_id VARCHAR, $run VARCHAR; $left_out VARCHAR[]: arms that this start was
--        not to take.
-- Gives: item, arm. Ordered. Only those of `noise_candidates`.
SELECT DISTINCT
    r.item,
    p.arm
FROM requests AS r
INNER JOIN parts AS p ON r.pass_id = p.pass_id AND r.key = p.key
INNER JOIN outputs AS o ON r.item = o.item AND p.arm = o.arm
WHERE
    r.pass_id = $pass_id
    AND r.purpose = 'noise'
    AND o.run = $run
    AND o.blocked IS NULL
    AND (o.current OR list_contains($left_out, o.arm))
ORDER BY r.item, p.arm
