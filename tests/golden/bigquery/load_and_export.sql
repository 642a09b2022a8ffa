load data into ds.t (a int64, b string) from files (format = 'CSV', uris = ['gs://b/*.csv', 'gs://c/*.csv']);
load data overwrite ds.u partition by d from files (format = 'AVRO', uris = ['gs://b/u']);
export data options (uri = 'gs://o/*.csv', format = 'CSV', overwrite = true) as select a from ds.t;
create external table ds.e (a int64) with connection `p.us.c` options (format = 'PARQUET', uris = ['gs://e/*']);
EXPORT TABLE METADATA FROM d.t;
