-- options: link_orphans
create view v as
select x from a, b
