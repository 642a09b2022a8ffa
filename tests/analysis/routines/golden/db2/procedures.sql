--#SET TERMINATOR @
CREATE OR REPLACE PROCEDURE hr.raise_salaries (IN p_dept CHAR(3), OUT p_total DECIMAL(11, 2))
LANGUAGE SQL
MODIFIES SQL DATA
P1: BEGIN
    DECLARE v_emp CHAR(6);
    DECLARE v_salary DECIMAL(9, 2);
    DECLARE v_bonus DECIMAL(9, 2) DEFAULT 0;
    DECLARE at_end INT DEFAULT 0;
    DECLARE not_found CONDITION FOR SQLSTATE '02000';
    DECLARE c1 CURSOR WITH HOLD FOR
        SELECT empno, salary FROM hr.employee WHERE workdept = p_dept FOR UPDATE OF salary;
    DECLARE CONTINUE HANDLER FOR not_found SET at_end = 1;

    OPEN c1;
    FETCH FROM c1 INTO v_emp, v_salary;
    WHILE at_end = 0 DO
        SELECT bonus INTO v_bonus FROM hr.bonuses WHERE empno = v_emp;
        UPDATE hr.payroll SET amount = v_salary + v_bonus WHERE empno = v_emp;
        FETCH FROM c1 INTO v_emp, v_salary;
    END WHILE;
    CLOSE c1;

    FOR v AS SELECT deptno, budget FROM hr.department WHERE budget > 0 DO
        INSERT INTO hr.budgets (deptno, amount) VALUES (v.deptno, budget);
    END FOR;

    SET p_total = (SELECT SUM(amount) FROM hr.payroll);
    INSERT INTO hr.totals (amount) VALUES (p_total);
END P1
@
CREATE OR REPLACE TRIGGER hr.salary_change
AFTER UPDATE OF salary ON hr.employee
REFERENCING OLD AS o NEW AS n
FOR EACH ROW MODE DB2SQL
WHEN (n.salary > o.salary * 1.5)
BEGIN ATOMIC
    INSERT INTO hr.salary_log (empno, before, after) VALUES (n.empno, o.salary, n.salary);
END
@
CREATE FUNCTION hr.dept_name (p_dept CHAR(3)) RETURNS VARCHAR(36)
LANGUAGE SQL READS SQL DATA
RETURN SELECT deptname FROM hr.department WHERE deptno = p_dept
@
CREATE PROCEDURE hr.prepared_report (IN p_year INT)
LANGUAGE SQL
BEGIN
    DECLARE v_stmt VARCHAR(500);
    DECLARE s1 STATEMENT;
    DECLARE c2 CURSOR FOR s1;
    DECLARE v_name VARCHAR(36);
    SET v_stmt = 'SELECT name FROM hr.reports WHERE report_year = ?';
    PREPARE s1 FROM v_stmt;
    OPEN c2 USING p_year;
    FETCH c2 INTO v_name;
    INSERT INTO hr.printed (name) VALUES (v_name);
    CLOSE c2;
END
@
