with gone as (
  delete from queue q using jobs j where q.job_id = j.id returning q.id, q.payload
)
insert into archive (id, payload) select id, payload from gone
