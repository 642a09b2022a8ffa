create foreign table people (id int, name text) server crm options (schema_name 'hr', table_name 'persons');

insert into staff (id) select id from people;

insert into people (id) select id from newcomers;

create foreign table files (a text) server files options (filename '/data/x.csv', format 'csv');

create foreign table old (a text) server ora options (schema 'S', table 'T');
