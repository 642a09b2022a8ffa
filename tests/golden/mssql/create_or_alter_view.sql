insert into o (x) select y from p
create or alter view v
as
select a from t
