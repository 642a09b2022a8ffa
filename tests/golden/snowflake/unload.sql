copy into @~/out/ from mytable file_format = (type = parquet);
copy into @%mytable from (select a from t where b > 1);
copy into 'azure://acc.blob.core.windows.net/c/out/' from (select a from t) credentials = (azure_sas_token = '?sv=1&sig=TOPSECRET');
