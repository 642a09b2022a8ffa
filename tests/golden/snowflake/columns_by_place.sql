create table k (a variant, b int);
create table o1 as select $1:x::varchar as x, $2 as y from k where $1:z is not null;
create table o2 as select t.$2 as x, u.$1 as y from k t join m u on t.$2 = u.$3;
create table o3 as select $2 as x from (select a, b, c from n);
