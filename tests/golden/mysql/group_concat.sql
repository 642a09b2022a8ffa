create table shop.o as
select `user id`, group_concat(distinct tag order by weight separator ',') as tags
from shop.t
group by `user id`
