-- metadata: {"o": ["a", "b", "c"], "t": ["x", "y"]}
insert into o by name
select y as b, x as a from t
