create table o as select l.list_transform(lambda x: x + k).list_filter(lambda x: x > n).len() as z, s.replace(p, 'x').rpad(n, q).upper() as y from w;
