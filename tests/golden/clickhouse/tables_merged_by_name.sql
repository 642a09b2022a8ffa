create table log_2023 (at Date, hits UInt64) engine = MergeTree order by at;
create table log_2024 (at Date, hits UInt64) engine = MergeTree order by at;
create table other (at Date) engine = MergeTree order by at;

create table log as log_2023 engine = Merge(currentDatabase(), '^log_');

create table elsewhere (at Date) engine = Merge('archive', '^log_');
