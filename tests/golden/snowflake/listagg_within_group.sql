create view v as
select team, listagg(distinct member, ', ') within group (order by joined) as members
from teams
group by team
