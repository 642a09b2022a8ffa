insert overwrite db.o
select k, count(distinct u) as users from db.t group by k
