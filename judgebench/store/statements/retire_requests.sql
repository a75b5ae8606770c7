-- retire_requests: requests that the new plan does not hold: kept, left out.
-- Needs: $pass_id VARCHAR; new_requests.
-- Gives: nothing.
UPDATE requests SET current = FALSE
WHERE
    pass_id = $pass_id
    AND current
    AND NOT EXISTS (
        SELECT 1
        FROM new_requests AS n
        WHERE n.key = requests.key
    )
