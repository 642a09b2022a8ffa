create table o as select [x + j for x in l if x in [y + k for y, i in m if i > n]] as z from t;
