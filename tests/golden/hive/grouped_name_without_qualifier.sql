-- Of two columns k only the one that is grouped by can be meant.
insert into o select k, sum(v) from (select k, v from t) a join (select k, w from u) b on a.v = b.w group by a.k;
