insert into o (a) select a from remote_query('conn', query => 'select a from app.t')
