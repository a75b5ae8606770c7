-- verify_replies: the reply that each scored request was read from, with what was asked.
-- Needs: $pass_id VARCHAR.
-- Gives: key, item, criterion (NULL for all), labels (in the order shown), attempt,
--        request_sha256, system_sha256, system (NULL where the text is lost), user_text,
--        body. One row a request, the last reply that came with HTTP 200. Ordered.
WITH shown AS (
    SELECT
        key,
        list(label ORDER BY ordinal) AS labels
    FROM parts
    WHERE pass_id = $pass_id
    GROUP BY key
),

scored AS (
    SELECT DISTINCT key
    FROM judgments
    WHERE pass_id = $pass_id AND current AND status = 'ok'
)

SELECT
    c.key,
    r.item,
    r.criterion,
    p.labels,
    c.attempt,
    c.request_sha256,
    c.system_sha256,
    s.text AS system,
    c.user_text,
    c.body
FROM calls AS c
INNER JOIN requests AS r ON c.pass_id = r.pass_id AND c.key = r.key
INNER JOIN scored AS d ON c.key = d.key
INNER JOIN shown AS p ON c.key = p.key
LEFT JOIN prompts AS s ON c.system_sha256 = s.sha256
WHERE c.pass_id = $pass_id AND c.outcome = 'received' AND c.status = 200
QUALIFY row_number() OVER (PARTITION BY c.key ORDER BY c.attempt DESC) = 1
ORDER BY c.key
