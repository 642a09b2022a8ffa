copy from database a to b;
insert into o (a) select a from src;
export database 'folder' (format parquet);
export database a to 's3://bucket/folder';
import database 'folder';
