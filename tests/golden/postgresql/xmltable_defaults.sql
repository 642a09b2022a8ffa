create table o as
select x.v, x.d
from t, xmltable('/r/v' passing t.doc columns v int path '.', d int path '@d' default t.k) x;
