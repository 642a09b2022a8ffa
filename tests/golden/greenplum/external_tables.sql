create external table e (a int) location ('gpfdist://h:8081/*.txt', 'gpfdist://h2:8081/x') format 'TEXT' (delimiter '|');
create writable external table w (a int) location ('gpfdist://h/o') format 'CSV' distributed by (a);
insert into w select a from e;
