insert into counters (key, hits, seen_at)
select s.key, s.hits, s.seen_at from staged s
on conflict (key) do update
set hits = counters.hits + excluded.hits, seen_at = greatest(counters.seen_at, excluded.seen_at)
