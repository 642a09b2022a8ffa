-- The name is the text as written.
create table x as select max(a), b+1, (c) from s;
insert into o select "max(a)", "b+1", c from x;
