-- metadata: {"t": ["id", "a", "k"]}
create temp table x as select id, a, k from t;
alter table x rename column a to aa;
alter table x rename to x2;
insert into o (v) select aa from x2 where k > 1;
