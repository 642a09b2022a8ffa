create table a (x int, y int);
alter table a swap with b;
create table c clone b at (timestamp => '2024-01-01'::timestamp);
create table d like c;
create or replace transient table e copy grants as select x from c;
