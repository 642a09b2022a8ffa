-- metadata: {"t": ["a", "k"], "u": ["c", "k"], "w": ["g", "k"]}
insert into o1 (a)
select x.a from (select a, k from t union select c, k from u) x;

insert into o2 (a)
select x.a from (select a, k from t union all select c, k from u) x;

insert into o3 (a)
select x.a from (select a, k from t except select c, k from u) x;

insert into o4 (a)
select x.a from (select a, k from t intersect select c, k from u) x;

-- A chain is read from the left: the last branch is added as it is.
insert into o5 (a)
select x.a from (select a, k from t union select c, k from u union all select g, k from w) x;
