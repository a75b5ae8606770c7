-- almost_empty_arms: arms with answers that hold almost nothing.
-- Needs: $run VARCHAR.
-- Gives: arm. Ordered by the run's order of arms.
SELECT o.arm
FROM outputs AS o
INNER JOIN arms AS a ON o.run = a.run AND o.arm = a.arm
WHERE o.run = $run AND o.current AND contains(o.flags, '"almost_no_content"')
GROUP BY o.arm, a.position
ORDER BY a.position
