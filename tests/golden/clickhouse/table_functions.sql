insert into t select a from s3('https://b/x.csv', 'KEYID', 'TOPSECRET', 'CSV');
insert into function s3('https://b/o.csv', 'KEYID', 'TOPSECRET') select a from t;
create table e (a Int32) engine = S3('https://b/x.gz', 'KEYID', 'TOPSECRET', 'CSV');
create table f (a Int32) engine = File(CSV, '/tmp/f.csv');
select a from t into outfile 'x.csv' format CSV;
