insert into p (a) select a from b where c in ($1,$2);
insert into q (a) select a from r where c in ($1,$2) and d = $tag$ $1,$2 $tag$;
