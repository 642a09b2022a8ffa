-- Named after the column or the function that decides, after the type of a cast, after CASE; else ?column?.
insert into o1 select x.max from (select max(a) from s) x;
insert into o2 select x.a, x.b, x.upper from (select a::text, cast(b as int), upper(c) from s) x;
insert into o3 select x.coalesce, x.int4, x.d from (select coalesce(a, b), (c + 1)::int, case when a > 1 then b else d end from s) x;
insert into o4 select x."case", x."?column?" from (select case when a > 1 then b else 0 end, c || d from s) x;
insert into o5 select x.a from (select distinct (a) from s) x;
insert into o6 select x.row_number from (select row_number() over (partition by a order by b) from s) x;
with c as (select sum(a), min(b) from s) insert into o7 select min, sum from c;
create view v as select lower(a), length(b) from s;
insert into o8 select length, lower from v;
-- Each of two columns with one name keeps its own source.
insert into o9 (p, q) select max(a), max(b) from s;
insert into o10 select x.percentile_disc from (select approximate percentile_disc(0.5) within group (order by a) from s) x;
