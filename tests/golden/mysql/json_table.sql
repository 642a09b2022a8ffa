insert into phones (person_id, phone)
select p.id, j.phone
from people p,
     json_table(p.doc, '$.phones[*]' columns (phone varchar(20) path '$.number')) j
