insert into o table s.t |> where a > 1 |> select a, b |> drop a;
insert into p table s.t |> select a |> union all table s.u |> sort by a |> offset 1;
