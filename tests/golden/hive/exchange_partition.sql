alter table a exchange partition (ds = '1') with table b;
create table l like b;
