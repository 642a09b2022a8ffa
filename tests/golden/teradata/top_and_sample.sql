create table db1.o as (
  select top 10 a, b from db1.t order by c desc
) with data
