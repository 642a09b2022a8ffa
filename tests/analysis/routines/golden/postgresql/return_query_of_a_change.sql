create function take_jobs(n int) returns setof jobs as $$
begin
  return query
    update jobs set taken_by = w.id from workers w where w.name = current_user and jobs.worker = w.name
    returning jobs.*;
  return query
    insert into jobs (id, payload) select q.id, q.body from queue q where q.ready returning *;
end;
$$ language plpgsql;
