CREATE OR REPLACE PACKAGE BODY "D"."Q" wrapped
0
abcd
7 PACKAGE:
6 INSERT:
/
create or replace procedure p wrapped
a000000
1
abcd
/
insert into z select a from y;
