-- Unnamed columns are counted from $1.
insert into o (k, v) select x.`$1`, x.`$2` from (select upper(a), b, lower(c) from s) x;
