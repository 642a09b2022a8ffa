create schema s2 clone s1;
create or replace database d2 clone d1 at (offset => -3600);
create schema s3 from backup set b identifier 'x';
create table t2 from snapshot set b identifier 'x';
create snapshot set b for table t;
create database clone;
