-- metadata: {"sales": ["id", "amount"], "things": ["id", "name"]}
create table d as
select *, amount from sales left semi join things on sales.id = things.id;
