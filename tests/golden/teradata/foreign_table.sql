create foreign table ft, external security definer trusted auth (location varchar(2048), a int) using (location ('/s3/b.s3.amazonaws.com/x/') stored as ('PARQUET'));
