-- metadata: {"t": ["a", "b", "k"]}
insert into o (n)
select count(*) from (select distinct a from t) x;

-- Every column that is written anyway is shown once.
insert into p (a, b)
select distinct a, b from t where a > 1;
