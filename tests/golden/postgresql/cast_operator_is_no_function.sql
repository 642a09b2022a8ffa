create view v as select t.a::int as a, t.doc->>'name' as name, t.doc#>>'{x,y}' as xy from t
