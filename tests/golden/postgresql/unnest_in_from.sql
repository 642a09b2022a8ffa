insert into tags (post_id, tag)
select p.id, u.tag
from posts p, unnest(p.tags) as u (tag)
