copy t (a, b) from 's3://b/k' iam_role 'arn:aws:iam::0:role/X' format as parquet;
unload ('select a, b from t where c = ''x''') to 's3://o/p_' credentials 'aws_access_key_id=AK;aws_secret_access_key=TOPSECRET' parquet;
create external table spectrum.e (a int) stored as parquet location 's3://b/x/';
