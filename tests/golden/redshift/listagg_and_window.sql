create view v as
select d.name,
       listagg(e.name, ',') within group (order by e.hired) as people,
       ratio_to_report(sum(e.salary)) over (partition by d.region) as share
from dept d
join emp e on e.dept_id = d.id
group by d.name, d.region
