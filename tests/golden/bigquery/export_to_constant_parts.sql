export data options (uri = concat("gs://bucket", "/file_*.csv"), format = 'CSV') as select a from t;
