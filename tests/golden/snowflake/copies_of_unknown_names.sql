create table identifier($target) clone src;
create or replace table t clone identifier($source);
copy into identifier($target) from @st;
alter table identifier($target) rename to z;
insert into o (a) select a from src;
