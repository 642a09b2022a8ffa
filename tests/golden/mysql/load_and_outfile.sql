load data local infile '/tmp/x.csv' replace into table db.t character set utf8 fields terminated by ',' (a, @v, b) set c = @v + 1, d = now();
select a, b into outfile '/tmp/o.csv' fields terminated by ',' from t where c > 1;
select a from t into dumpfile '/tmp/o.bin';
