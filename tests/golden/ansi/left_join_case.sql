select
  case when a.kamut = 1 and b.teur is null then 'no locks'
       when a.kamut = 1 then b.teur
       else 'locks'
  end teur
from tbl a
left join tt b on (a.key = b.key)
