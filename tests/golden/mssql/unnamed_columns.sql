-- SQL Server gives no name; a column in parentheses keeps its own.
insert into o (p, q) select x.a, x.n from (select distinct (a), max(b) as n from s group by (a)) x;
