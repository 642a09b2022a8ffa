insert into o (id, country)
select h.id, u.country
from hits as h
any left join users as u on h.user_id = u.id
