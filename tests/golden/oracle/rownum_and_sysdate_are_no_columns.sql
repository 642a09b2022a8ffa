create table o as
select id, sysdate as loaded, user as loaded_by
from t
where rownum <= 10 and created < sysdate - 7
