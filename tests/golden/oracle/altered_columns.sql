create table t (a number, b number, c number);
alter table t add (d number, e varchar2(10)) drop (b, c);
alter table t rename column a to x;
alter table t modify (d number(5));
insert into o (c1, c2, c3) select * from t;
