create table x clone as y;
create table z engine = MergeTree order by a as select a from x;
