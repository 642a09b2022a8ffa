insert into o table s.t |> where a > 1 |> select a, b |> drop a;
