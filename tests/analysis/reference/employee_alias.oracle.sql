SELECT a.empName "eName"
FROM scott.emp a
Where sal > 1000
