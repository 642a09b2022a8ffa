CREATE OR REPLACE TRIGGER hr.trg_emp_audit
AFTER INSERT OR UPDATE OF salary OR DELETE ON hr.employees
REFERENCING NEW AS n OLD AS o
FOR EACH ROW
WHEN (n.salary > 0)
DECLARE
  v_dept hr.departments.name%TYPE;
BEGIN
  SELECT d.name INTO v_dept FROM hr.departments d WHERE d.id = :n.dept_id;
  IF UPDATING THEN
    INSERT INTO hr.salary_audit (emp_id, old_salary, new_salary, dept)
    VALUES (:n.id, :o.salary, :n.salary, v_dept);
  ELSIF DELETING THEN
    INSERT INTO hr.leavers (emp_id) VALUES (:o.id);
  END IF;
END;
/
CREATE OR REPLACE TRIGGER hr.trg_emp_defaults
BEFORE INSERT ON hr.employees
FOR EACH ROW
BEGIN
  :NEW.full_name := :NEW.first_name || ' ' || :NEW.last_name;
  IF :NEW.created IS NULL THEN
    :NEW.created := SYSDATE;
  END IF;
END;
/
CREATE OR REPLACE TRIGGER hr.trg_compound
FOR UPDATE ON hr.employees
COMPOUND TRIGGER
  g_count NUMBER := 0;
  AFTER EACH ROW IS
  BEGIN
    INSERT INTO hr.changes (emp_id) VALUES (:NEW.id);
  END AFTER EACH ROW;
  AFTER STATEMENT IS
  BEGIN
    DELETE FROM hr.pending;
  END AFTER STATEMENT;
END trg_compound;
/
