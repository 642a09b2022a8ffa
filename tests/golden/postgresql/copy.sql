copy t (a, b) from '/tmp/x.csv' with (format csv, header);
copy (select a from u) to '/tmp/o.csv' csv;
copy t (a) to '/tmp/a.txt';
copy t from stdin;
create foreign table f (a int) server s options (filename '/tmp/f.csv', format 'csv');
