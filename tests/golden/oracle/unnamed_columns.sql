-- The name is the text in capitals without white space.
insert into o select "MAX(A)", "B+1", c from (select max( a ), b + 1, (c) from s);
