delete from films f
using producers p, studios s
where f.producer_id = p.id and p.studio_id = s.id and s.closed
