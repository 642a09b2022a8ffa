-- metadata: {"t": ["k", "a", "b"]}
-- Only what is grouped by or aggregated stands in HAVING: any other name is an alias, whatever the table has.
create table o as
select k, max(b) as a from t group by k having a > 2;
create table p as
select a as k, count(*) as n from t group by a having max(k) > 1;
create table q as
select k as a, sum(b) as k from t group by t.k having k > 1;
