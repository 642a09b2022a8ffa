-- metadata: {"u": ["k"]}
create table o as select id from t where k in u;
create table p as with q as (select n from v where m > 1) select id from t where k not in q;
create table r as select id, k in main.w as found from t;
