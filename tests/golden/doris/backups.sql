backup snapshot d.monday to repository_1 on (t, u partition (p1)) properties ("type" = "full");

restore snapshot d.monday from repository_1 on (t as v, u) properties ("backup_timestamp" = "2024-05-04-16-45-08");
