create table o distkey (id) sortkey (d) as
select id, clicks * 1.0 / views as ctr, round(100 * ctr, 1) as pct, d
from ads
