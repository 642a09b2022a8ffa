alter table t1, tmp rename to tmp, t1;
select swap_partitions_between_tables('s.staging', '2020-01-01', '2020-02-01', 's.target');
select move_partitions_to_table('s.t', 1, 2, 's.archive');
