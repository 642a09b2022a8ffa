-- default_schema: sales
insert into o (a) select a from t join crm.c on c.id = t.id
