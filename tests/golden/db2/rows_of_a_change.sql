insert into audit (id, sal)
select empno, salary from final table (update employee set salary = bonus where workdept = 'A00');

with q as (select z from y),
     ins as (select id from new table (insert into t1 (a) select z from q))
insert into o (id) select id from ins;

insert into p (d) select deptno from only (dept);
