alter table t replace partition (p1) with temporary partition (tp1);
insert into o select a, group_concat(b order by c separator '|') as l from s group by a;
