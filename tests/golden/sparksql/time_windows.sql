create table o1 as
select a, window.start as s, window.end, count(*) as c from t group by a, window(ts, '5 minutes') having window.start > '2024';

create table o2 as
select window, session_window.start as s, sum(v) as v from t group by window(ts, '10 minutes', '5 minutes'), session_window(u, '5 minutes');
