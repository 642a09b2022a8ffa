-- metadata: {"d.t": ["id", "a", "s"], "d.u": ["id", "c"]}
create table d.counted as from d.t |> select a, s |> distinct |> aggregate count(*) as n;
create table d.chosen as (select a, s from d.t) |> select distinct a, s |> select s;
create table d.joined as from d.t |> with x as (select id, c from d.u where c > 1) |> join x using (id) |> select a, c;
create table d.called as from d.t |> select a |> call d.score(2) as r |> select r.best;
