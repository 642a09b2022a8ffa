insert into o select a from read_csv(('in/a.csv'));
