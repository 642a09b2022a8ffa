create table t (a Int32, b String, c String) engine = MergeTree order by a;
create materialized view v to t as select x as c, y as a, z as other from src;
