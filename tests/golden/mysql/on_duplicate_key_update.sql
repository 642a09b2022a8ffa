insert into totals (day, hits, last_seen)
select d.day, d.hits, d.seen from daily d
on duplicate key update hits = totals.hits + values(hits), last_seen = values(last_seen)
