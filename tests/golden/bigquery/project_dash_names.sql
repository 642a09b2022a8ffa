create or replace table `my-project.mart.daily` as
select d, sum(x) as x
from `my-project`.raw.events
group by d
