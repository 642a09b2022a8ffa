insert into scores_flat (student, score, n)
select student, score, n
from tests
cross join unnest(scores) with ordinality as t (score, n)
