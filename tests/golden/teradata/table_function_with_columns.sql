-- metadata: {"w": ["id", "tags"]}
insert into o (outkey, token)
select d.outkey, d.token
from w, table (strtok_split_to_table(w.id, w.tags, ',') returns (outkey integer, num integer, token varchar(20) character set unicode)) as d
where d.num = 1;
