CREATE TRIGGER hr.salary_audit
AFTER UPDATE OF salary, grade ON hr.employees
REFERENCING OLD ROW AS before_row, NEW ROW AS after_row
FOR EACH ROW
BEGIN
    DECLARE lv_limit DECIMAL(12, 2);
    DECLARE lv_found INTEGER := 0;
    DECLARE EXIT HANDLER FOR SQLEXCEPTION
        INSERT INTO hr.trigger_errors (emp_id) VALUES (:after_row.emp_id);

    SELECT g.max_salary INTO lv_limit
    FROM hr.grades AS g
    WHERE g.grade = :after_row.grade;

    IF :after_row.salary > :lv_limit THEN
        INSERT INTO hr.exceptions (emp_id, salary, max_salary)
        VALUES (:after_row.emp_id, :after_row.salary, :lv_limit);
    ELSEIF :before_row.grade <> :after_row.grade THEN
        INSERT INTO hr.promotions (emp_id, old_grade, new_grade, manager_id)
        SELECT :after_row.emp_id, :before_row.grade, :after_row.grade, d.manager_id
        FROM hr.departments AS d
        WHERE d.dept_id = :after_row.dept_id;
    END IF;

    SELECT COUNT(*) INTO lv_found FROM hr.salary_history AS h WHERE h.emp_id = :after_row.emp_id;
    IF :lv_found = 0 THEN
        INSERT INTO hr.salary_history (emp_id, salary, changed_on)
        VALUES (:before_row.emp_id, :before_row.salary, CURRENT_DATE);
    ELSE
        UPDATE hr.salary_history SET salary = :after_row.salary WHERE emp_id = :after_row.emp_id;
    END IF;
END;
