bulk insert dbo.t from 'C:\data\f.csv' with (format = 'CSV', firstrow = 2);
select a into x from openrowset(bulk 'https://acc.blob.core.windows.net/c/f.parquet?sv=1&sig=TOPSECRET', format = 'PARQUET') as r;
create external table e (a int) with (location = '/x/y', data_source = ds, file_format = ff);
create external table o with (location = '/out/', data_source = ds, file_format = ff) as select a from e;
copy into dbo.c (a, b) from 'https://acc.blob.core.windows.net/c/1.csv', 'https://acc.blob.core.windows.net/c/2.csv' with (file_type = 'CSV', credential = (identity = 'Storage Account Key', secret = 'TOPSECRET'));
