create view latest as
select p.id, p.price
from prices p
where p.valid_from = (select max(x.valid_from) from prices x where x.id = p.id)
