-- packet_draws: answers that could have been drawn for people to mark, by draw.
-- Needs: $run VARCHAR.
-- Gives: draw, position, item, arm, stratum, probability, population, chosen, seed, drawn_at.
SELECT
    draw,
    position,
    item,
    arm,
    stratum,
    probability,
    population,
    chosen,
    seed,
    drawn_at
FROM packet_draws
WHERE run = $run
ORDER BY drawn_at, draw, position
