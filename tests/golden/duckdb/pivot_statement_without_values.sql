-- metadata: {"p": ["k", "yr", "q1"]}
-- The years are not listed: nobody can tell the names of the columns, but what they are made of.
insert into o
pivot p on yr using sum(q1) order by k limit 3;

create view v as
with x as (select * from p where k > 1) from (pivot x on yr using sum(q1)) select k;
