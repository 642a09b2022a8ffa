create table o as
select c.id, t.age, t.q
from customers c, json_table(c.children, 'lax $.children[*]' as "p1" passing c.x as y
  columns (age integer path 'lax $.age' default 1 on empty, n varchar format json path '$.n' with wrapper keep quotes,
    nested path 'lax $.x' as "p2" columns (q bigint path 'lax $.q')) plan ("p1" outer "p2")) as t;

create table o2 as select json_value(j, 'lax $.a' passing b as "x" returning bigint default -1 on empty) as v from s;
