select b.teur
from tbl a left join TT b on (a.key=b.key)
