-- One function for several triggers, before its definition and after it: what it only reads goes back into no table.
CREATE TRIGGER a BEFORE INSERT ON t1 FOR EACH ROW EXECUTE FUNCTION stamp();
CREATE FUNCTION stamp() RETURNS trigger AS $$
BEGIN
    SELECT total INTO NEW.total FROM totals;
    INSERT INTO log (id) VALUES (NEW.id);
    RETURN NEW;
END $$ LANGUAGE plpgsql;
CREATE TRIGGER b BEFORE INSERT ON t2 FOR EACH ROW WHEN (NEW.active) EXECUTE FUNCTION stamp();
CREATE TRIGGER c BEFORE INSERT ON t3 FOR EACH ROW EXECUTE FUNCTION stamp();
