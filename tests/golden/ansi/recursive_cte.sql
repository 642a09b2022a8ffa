with recursive tree (id, parent_id, lvl) as (
  select id, parent_id, 0 from org where parent_id is null
  union all
  select o.id, o.parent_id, tree.lvl + 1
  from org o
  join tree on o.parent_id = tree.id
)
insert into org_tree (id, lvl)
select id, lvl from tree
