-- metadata: {"s": ["id", "month", "amount", "region"]}
insert into o (n)
select count(*) from s pivot (sum(amount) for month in ('JAN', 'FEB')) as p;
