-- metadata: {"people": ["id", "first_name", "last_name", "born"], "orders": ["person_id", "amount"]}
-- A function of a row is written like a column, and a column like a function.
CREATE FUNCTION full_name(p people) RETURNS text LANGUAGE sql AS $$ SELECT p.first_name || ' ' || p.last_name $$;
CREATE FUNCTION spent(people) RETURNS numeric LANGUAGE sql AS $$
    SELECT sum(o.amount) FROM orders o WHERE o.person_id = $1.id
$$;
CREATE FUNCTION age_of(p people) RETURNS int LANGUAGE sql AS $$ SELECT 2024 - (p).born $$;

CREATE TABLE cards AS SELECT q.full_name AS label, spent(q) AS total FROM people q WHERE q.age_of > 18;
CREATE TABLE years AS SELECT born(people) AS born FROM people;
