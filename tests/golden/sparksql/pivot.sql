create table o as
select *
from (select year, course, earnings from sales)
pivot (sum(earnings) for course in ('dotNET' as dotnet, 'Java' as java))
