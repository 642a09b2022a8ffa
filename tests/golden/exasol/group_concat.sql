create table o as
select g, group_concat(name order by name separator '; ') as names from t group by g
