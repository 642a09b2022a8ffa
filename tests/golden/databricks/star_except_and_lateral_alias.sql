-- metadata: {"main.s.t": ["id", "price", "qty", "junk"]}
create or replace table main.s.o as
select * except (junk), price * qty as net, net * 1.2 as gross from main.s.t
