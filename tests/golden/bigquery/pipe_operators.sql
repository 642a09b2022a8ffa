create table d.kept as from d.t |> select a, b, c |> drop c;
create table d.assigned as from d.t |> select a, b |> set b = coalesce(a, 1), a = 2;
create table d.renamed as from d.t |> select a, b |> rename b as bb;
create table d.aliased as from d.t |> select a, b |> as z |> where z.a > 1 |> select z.b;
create table d.windowed as from d.t |> window sum(a) over (partition by k) as w |> select w;
create table d.totals as (from d.t |> aggregate sum(b) as s group by c |> drop c);
