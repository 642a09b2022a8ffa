-- metadata: {"t": ["id", "ix", "a"]}
create table o as select columns([c for c in (*) if c like 'i%']) from t
