create table o as
from t select a, b where c > 0
