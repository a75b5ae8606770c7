-- asked: hash of the words that went out last, by request.
-- Needs: $pass_id VARCHAR.
-- Gives: key, request_sha256. Ordered.
SELECT
    key,
    arg_max(request_sha256, attempt) AS request_sha256
FROM sends
WHERE pass_id = $pass_id
GROUP BY key
ORDER BY key
