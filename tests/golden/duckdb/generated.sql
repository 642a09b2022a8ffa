create table t (x float, two_x float generated always as (2 * x) virtual, y as (x + 1));
