-- revise_requests: requests that the new plan holds in another place or for another purpose.
-- Needs: $pass_id VARCHAR; new_requests.
-- Gives: nothing.
UPDATE requests
SET
    current = TRUE,
    position = n.position,
    purpose = n.purpose
FROM new_requests AS n
WHERE
    requests.pass_id = $pass_id
    AND requests.key = n.key
    AND (
        NOT requests.current
        OR requests.position <> n.position
        OR requests.purpose <> n.purpose
    )
