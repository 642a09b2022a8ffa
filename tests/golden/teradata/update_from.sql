update t
from tgt.accounts t, src.changes s
set balance = s.balance
where t.id = s.id
