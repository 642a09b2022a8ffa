-- metadata: {"t": ["id", "q_one", "q_two"]}
insert into o
select columns('^q_') from t;
