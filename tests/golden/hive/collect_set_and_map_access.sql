create table o as
select t.props['lang'] as lang, collect_set(t.uid) as uids
from logs t
group by t.props['lang']
