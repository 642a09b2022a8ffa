alter table staging switch partition 1 to facts partition 1;
