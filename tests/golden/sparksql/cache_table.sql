cache table c options ('storageLevel' 'DISK_ONLY') as select a from t;
insert into o select a from c;
