create table t (a Int32, b Int32 materialized a + 1, c String alias toString(b), index ix a type minmax, projection p (select a order by b)) engine = MergeTree order by a;
