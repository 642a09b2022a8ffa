insert into o (a) select a from postgres_query('pg', 'select a from app.t where b = 1')
