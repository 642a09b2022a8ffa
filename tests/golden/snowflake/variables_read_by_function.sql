-- metadata: {"T": ["A", "B"], "U": ["ID", "C"]}
set most = (select max(a) from t where b > 1);
create table o as select id from u where c < getvariable('MOST');
