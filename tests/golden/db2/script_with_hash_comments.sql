# A tool strips these lines: they aren't SQL.
#
create table a (b int);
## the next one
insert into a (b) select c from d;
