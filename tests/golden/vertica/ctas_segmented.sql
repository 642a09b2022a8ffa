create table public.o as
select id, v from public.t where v > 0
order by id
segmented by hash(id) all nodes
