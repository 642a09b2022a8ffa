-- metadata: {"z": ["x", "y", "s"]}
insert into z (* except (y)) select id, name from t;
insert into z (*) select a, b, c from u;
