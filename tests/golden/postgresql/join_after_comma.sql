-- metadata: {"t": ["a", "id"], "w": ["h"], "u": ["id"]}
-- The condition sees w and u; t stands before the comma.
create view v as
select t.a from t, w join u on h = id;
