insert into extern(s3(bucket => 'b', prefix => 'daily/x')) as csv select a, b from t where c > 1;
insert into extern(local(exportPath => '/exports/y')) as csv select a from t;
