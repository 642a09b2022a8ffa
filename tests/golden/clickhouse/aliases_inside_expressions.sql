create table o engine = Memory as select (a + b as ab) * 2 as x, ab from t where ab > 2;
create table p engine = Memory as select id from t where (a * 2 as doubled) > 2 and doubled < 9;
create table r engine = Memory as select sum(n as amount) as total, max(amount) as m from u;
