from source s
insert overwrite table a select s.id, s.x where s.kind = 1
insert into table b partition (dt = '2024-01-01') select s.id where s.kind = 2
