-- A semicolon is missing: the server refuses the routine, and nothing of it may get lost without a word.
CREATE FUNCTION clean() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    ALTER TABLE jobs ENABLE TRIGGER checks
    DELETE FROM batches WHERE id = 1;
    ALTER TABLE jobs ADD COLUMN c int
    UPDATE batches SET a = 1;
END
$$;
-- Actions of a foreign key are no statements.
ALTER TABLE jobs ADD CONSTRAINT f FOREIGN KEY (b) REFERENCES batches (id) ON UPDATE CASCADE ON DELETE SET NULL;
