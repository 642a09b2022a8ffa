update public.target as t
set name = s.name, email = lower(s.mail)
from public.source as s
where s.id = t.id
