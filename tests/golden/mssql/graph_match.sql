insert into dbo.friends (name, friend)
select p1.name, p2.name
from dbo.person p1, dbo.likes l, dbo.person2 p2
where match(p1-(l)->p2) and p1.age > 20
