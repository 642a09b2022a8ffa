{ Loads the day's orders.
  insert into nowhere select 1 from nothing }
insert into o (a, b)
select {+ index(t)} a, b {the second} from t {c} where c > 1;

{ it's the last one }
create view v (x) as select x from w;
