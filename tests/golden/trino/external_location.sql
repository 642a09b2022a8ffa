create table h.d.t (a int, b int) with (external_location = 's3://b/x', format = 'ORC');
