create table o engine = Memory as select a from mysql('h:3306', 'db', 't', 'u', 'p');

create table p engine = Memory as select a from remote('h', db.t);

insert into function remote('h', db.target) (x, y) select a, b from t;
