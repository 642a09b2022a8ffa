create or replace temporary view recent as
select id, amount from sales where year = 2024;
insert into report select id, amount from recent;
