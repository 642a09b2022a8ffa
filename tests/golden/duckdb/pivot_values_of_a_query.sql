-- metadata: {"t": ["k", "a", "s"], "u": ["s", "c"]}
create table o as pivot t on s in (select s from u where c > 1) using sum(a) group by k;
