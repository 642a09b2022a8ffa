-- metadata: {"known": ["a", "b"]}
create stage st url = 's3://bucket/in/' storage_integration = si file_format = (type = csv);
copy into t (a, b) from @st/day1/ file_format = (type = csv);
copy into known from 's3://bucket/direct/' credentials = (aws_key_id = 'KEYID' aws_secret_key = 'TOPSECRET');
copy into db.public.u from (select s.$1 as x, $2 from @db.public.st2/a.csv s) on_error = skip_file;
create pipe p auto_ingest = true as copy into piped from @st;
