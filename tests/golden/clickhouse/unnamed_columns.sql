-- Operators are functions in the names of columns.
create table x engine = Memory as select MAX(a), a + b * 2, (c), if(a > 1, d, b) from s;
insert into o select "MAX(a)", "plus(a, multiply(b, 2))", c, "if(greater(a, 1), d, b)" from x;
