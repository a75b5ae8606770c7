-- archive_judgments: keep what an earlier asking cost and why it was blocked.
-- Needs: batch, columns pass_id, key.
-- Gives: nothing. Only where a call went out after the judgment: a reading that
--        is merely repeated was paid once and must not count twice.
INSERT INTO earlier_judgments BY NAME
SELECT
    j.pass_id,
    j.key,
    j.label,
    j.status,
    j.reason,
    j.message,
    j.calls,
    j.in_doubt,
    j.prompt_tokens,
    j.completion_tokens,
    j.reasoning_tokens,
    j.cost_usd,
    j.judged_at
FROM judgments AS j
INNER JOIN
    (
        SELECT DISTINCT
            pass_id,
            key
        FROM batch
    ) AS b
    ON j.pass_id = b.pass_id AND j.key = b.key
WHERE
    EXISTS (
        SELECT 1
        FROM sends AS s
        WHERE s.pass_id = j.pass_id AND s.key = j.key AND s.sent_at > j.judged_at
    )
