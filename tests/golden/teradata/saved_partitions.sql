create table t (a int, constraint fk foreign key (a) references with no check option u (b));

alter table t to current with insert into t_old;

rename macro m to m9;
