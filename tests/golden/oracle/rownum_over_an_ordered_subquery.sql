create table o as select id from (select id, created from t order by created desc) where rownum <= 3;
create table p as select id from (select q.*, rownum rn from (select id, created from t order by created desc) q where rownum <= 30) where rn > 20;
-- nothing is cut, numbered or collected
create table r as select id from (select id, created from t order by created desc);
