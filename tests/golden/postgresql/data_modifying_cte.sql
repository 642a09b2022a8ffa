with moved as (
  delete from events returning id, payload
)
insert into events_archive (id, payload)
select id, payload from moved
