insert into customer select * from external '/tmp/c.txt' (id int, nm varchar(10)) using (delim ',');

insert into emp select * from external '/tmp/e.dat' sameas emp using (remotesource 'JDBC');

insert into external '/tmp/z' select a from b;
