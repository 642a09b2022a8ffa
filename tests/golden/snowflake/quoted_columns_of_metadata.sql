-- metadata: {"tbl": ["CustomerName", "id", "NET"], "u": ["ID", "V"]}
insert into o1 select "CustomerName", t.id, "NET", net from tbl t;
insert into o2 select customername, v from tbl join u on tbl.id = u.id;
insert into o3 select x."CustomerName" from (select * from tbl) x;
insert into tbl ("CustomerName", "id") select v, id from u;
