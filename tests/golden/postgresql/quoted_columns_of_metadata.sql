-- metadata: {"tbl": ["CustomerName", "id", "Order ID"], "u": ["id", "v"]}
-- Metadata does not say whether a name has to be quoted.
insert into o1 select "CustomerName", t.id, "Order ID" from tbl t;
insert into o2 select customername, v from tbl join u on tbl.id = u.id;
insert into o3 select x."CustomerName" from (select * from tbl) x;
insert into tbl ("CustomerName", id) select v, id from u;
update tbl set "CustomerName" = u.v from u where u.id = tbl.id;
