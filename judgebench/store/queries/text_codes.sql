-- text_codes: one column as integer codes, in the order of the file.
-- Needs: batch (value), the type text_code (made by `keep_texts`).
-- Gives: code, from 0 in the order of `text_values`; NULL where there is no value.
SELECT enum_code(value::VARCHAR::TEXT_CODE) AS code FROM batch
