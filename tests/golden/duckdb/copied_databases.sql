copy from database a to b;
insert into o (a) select a from src;
