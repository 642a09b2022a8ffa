-- metadata: {"t": ["a", "b"]}
insert into o (a)
select a from (select a from t order by b desc) where rownum <= 3;
