-- metadata: {"s": ["k", "v"]}
insert into o1 select _metadata.file_path, k from s;
insert into o2 select k, grouping_id(), sum(v) from s group by rollup (k);
