-- What RETURNING gives is what the function gives, in SQL as after RETURN QUERY.
CREATE FUNCTION taken(n int) RETURNS TABLE (id int, p text) LANGUAGE sql AS $$
    DELETE FROM queue WHERE rank < n RETURNING queue.id, queue.payload
$$;
INSERT INTO done (id, p) SELECT id, p FROM taken(3);
CREATE FUNCTION changed() RETURNS TABLE (a int) LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY UPDATE stock SET a = s.a FROM source s WHERE s.id = stock.id RETURNING stock.a;
END
$$;
INSERT INTO news (a) SELECT a FROM changed();
