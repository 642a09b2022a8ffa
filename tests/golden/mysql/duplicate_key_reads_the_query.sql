insert into z (x, y) select q.id, q.k from t q join u on u.id = q.id
on duplicate key update y = z.y + q.a, s = values(y), n = u.c
