create table t (id UInt64, s.key Array(UInt8), s.value Array(String), json JSON) engine = Log;
insert into o1 select id, s.key, t.s.value, json.data.^a as x from t;
insert into table function file(database() || '_test.csv', CSV, 'a Int') select id from t;
rename table {db:Identifier}.a to {db:Identifier}.b;
