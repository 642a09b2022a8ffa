-- metadata: {"t": ["a", "b", "c"]}
create view v as select * except (a) except (b) from t;
