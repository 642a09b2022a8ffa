insert into watermark (source, high)
values ('sales', (select max(s.loaded_at) from sales s))
