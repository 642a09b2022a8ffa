select
case when a.kamut=1 and b.teur IS null
  then 'no locks'
  when a.kamut=1
  then b.teur
  else 'locks'
end teur
from tbl a left join TT b on (a.key=b.key)
