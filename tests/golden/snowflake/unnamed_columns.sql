-- The name is the text in capitals.
insert into o select "MAX(A)", "B+1", c from (select max(a), b+1, (c) from s);
insert into p select column2 from (select * from values (1, (select max(a) from s)));
