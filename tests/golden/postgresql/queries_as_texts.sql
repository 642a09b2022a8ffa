create table survey as
  select * from crosstab('select office, flavor, count(*) from answers where day > 1 group by office, flavor order by 1',
                         'select name from flavors order by 1')
  as (office varchar(20), chocolate bigint, vanilla bigint);
insert into medals (games, place, gold)
  select r.games, r.place, r.gold
  from crosstab($$select h.games, h.place, h.medal, h.total from history h$$::text, 'values (''Gold''), (''Silver'')')
    as r(games text, place text, gold bigint, silver bigint);
create view readings as select row_name, category_2 from crosstab3('select station, month, warmth from weather');
insert into routes (seq, node)
  select d.seq, d.node from pgr_dijkstra('select id, source, target, cost from edges', 1, 2) as d(seq, node);
insert into words (word) select s.word from ts_stat('select body from notes') s;
insert into exports (doc) select query_to_xml('select e.name from employees e where e.id = 1', true, false, '');
insert into plain (a) select f.a from helper('selected') as f(a);
