insert into local_t (a) select r.a from sales.remote_t@warehouse r
