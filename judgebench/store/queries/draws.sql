-- draws: items drawn for people to mark.
-- Needs: $run VARCHAR.
-- Gives: draw, position, item, probability, arms (JSON list), seed, drawn_at.
SELECT
    draw,
    position,
    item,
    probability,
    arms,
    seed,
    drawn_at
FROM draws
WHERE run = $run
ORDER BY drawn_at, draw, position
