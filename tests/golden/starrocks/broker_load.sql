load label db.l (data infile ('hdfs://h/x') into table t (a, b)) with broker;
export table t to 'hdfs://h/o';
select a from t into outfile 's3://b/o_' format as csv;
