-- metadata: {"t": ["a", "l"], "u": ["c", "k"]}
create function f(p) as case when p > 2 then 'hi' else 'lo' end;
create macro g() as table from u;
create table o as select f(a) as x, reduce(l, lambda acc, e, i: acc + e * i) as y from t;
create table o2 as select c from g() where k > 1;
