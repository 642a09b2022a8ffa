create view d.v as
select p.address.city as city, p.tags[offset(0)] as first_tag
from d.person p
