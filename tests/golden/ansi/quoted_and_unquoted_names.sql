create view v as
select t."Name" as "Full Name", T.id from t
