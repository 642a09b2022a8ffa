create view v as
select extract(year from t.d) as y,
       trim(both ' ' from t.name) as name,
       substring(t.code from 1 for t.len) as code,
       position('x' in t.label) as pos,
       overlay(t.text placing 'y' from 2) as text
from t
