-- findings_stamp: changes with what the checks of a pass's findings came to.
-- Needs: $pass_id VARCHAR.
-- Gives: one row: how many findings, and a number made of their standings and notes.
SELECT
    count(*) AS found,
    coalesce(bit_xor(hash(key, label, ordinal, standing, note)), 0)::VARCHAR AS stamp
FROM finding_rows
WHERE pass_id = $pass_id
