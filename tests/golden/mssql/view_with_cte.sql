create view dbo.tree as
with t as (
  select e.id, e.boss_id, 0 as lvl from dbo.emp e where e.boss_id is null
  union all
  select e.id, e.boss_id, t.lvl + 1
  from dbo.emp e
  inner join t on t.id = e.boss_id
)
select id, lvl from t
