-- allow_memory: room for one large transaction, whose rows are held until it ends, and for
--               long texts, which are read by the thousand.
-- Needs: nothing.
-- Gives: nothing. A limit, not a reservation: small imports take what they took.
SET memory_limit = '256MB'
