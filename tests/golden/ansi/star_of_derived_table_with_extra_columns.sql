create table o as
select d.*, d.a + d.b as total
from (select x as a, y as b from t) d
