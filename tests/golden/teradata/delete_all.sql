delete db1.t all
