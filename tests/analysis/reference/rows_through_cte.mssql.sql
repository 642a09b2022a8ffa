WITH
cteReports (EmpID, FirstName, LastName, MgrID, EmpLevel)
AS
(
  SELECT EmployeeID, FirstName, LastName, ManagerID, 1 -- resultset1
  FROM Employees
  WHERE ManagerID IS NULL
)
SELECT
  FirstName + ' ' + LastName AS FullName, EmpLevel -- resultset2
FROM cteReports
