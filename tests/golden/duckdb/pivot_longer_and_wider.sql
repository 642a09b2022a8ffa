-- metadata: {"p": ["g", "y", "v", "n"]}
create table o as pivot_longer p on v, n into name k value x;
create table o2 as pivot_wider p on y in (2020, 2021) using sum(v) group by g;
create table o3 as unpivot p on * exclude (g, y) into name k value x;
