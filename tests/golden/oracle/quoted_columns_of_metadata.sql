-- metadata: {"tbl": ["CustomerName", "id"]}
insert into o1 select "CustomerName", id from tbl;
insert into o2 select c from (select "CustomerName" as c from tbl);
