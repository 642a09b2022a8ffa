create external table orders (id int, paid decimal(9, 2)) engine = mysql
properties ("host" = "h", "port" = "3306", "user" = "u", "password" = "secret", "database" = "shop", "table" = "orders");

create external table people (id int) engine = jdbc properties ("resource" = "crm", "table" = "people");

create external table found (id int) engine = elasticsearch properties ("hosts" = "http://h:9200", "index" = "i");

create table kept (id int) engine = olap duplicate key (id) distributed by hash (id);

backup database d snapshot monday to repository_1 on (table t);
