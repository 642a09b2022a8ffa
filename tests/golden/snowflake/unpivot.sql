create table o as
select empid, sales
from monthly
unpivot (sales for month in (jan, feb, mar))
