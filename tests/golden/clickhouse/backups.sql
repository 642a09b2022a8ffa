backup table db.t to Disk('backups', 'monday.zip');

backup table a partitions '2023', '2024', table b on cluster c to S3('https://h/b', 'key', 'secret') async;

restore table db.t as db.u from Disk('backups', 'monday.zip') settings allow_non_empty_tables = true;

-- A whole database names no table.
backup database db to File('all.zip');
