create table f as select a from t;

insert into o select x from f(1);

insert into p select a from f;
