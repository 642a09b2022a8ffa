create table o as select apply(l, lambda x: x + k) as y from w
