create table a as b with data;
create multiset table c, no fallback as (select x from d) with data primary index (x);
rename table q to r;
create multiset table m, no fallback, map = td_map1 (k integer not null, v varchar(10) character set latin not casespecific) primary index (k);
insert into out_t select * from m;
