-- x and default.x are one table.
create table x (a int, b int);
insert into o select * from default.x;
insert into p select a, k from default.x join u;
use sales;
insert into q select * from default.x;
insert into r select * from x;
