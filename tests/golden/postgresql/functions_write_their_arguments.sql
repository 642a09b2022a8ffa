-- A function that writes gets the values that it is called with, wherever the call stands.
CREATE FUNCTION note(p_key int, p_text text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO notes (k, t) VALUES (p_key, p_text);
END
$$;
SELECT note(s.id, upper(s.name)) FROM source s;
SELECT note(p_text => o.remark, p_key => o.id) FROM other o;
DO $$
BEGIN
    PERFORM note(d.day, 'x') FROM days d;
END
$$;
