insert into t default values
