insert into dbo.StageOrders (OrderId, CustomerId, OrderDate, Amount)
select o.OrderID, o.CustomerID, cast(o.OrderDate as date), o.SubTotal + o.TaxAmt + o.Freight
from Sales.SalesOrderHeader as o with (nolock)
where o.ModifiedDate > dateadd(day, -1, getdate());

update t
set t.Email = s.EmailAddress, t.Phone = isnull(p.PhoneNumber, t.Phone), t.UpdatedAt = sysdatetime()
from dbo.DimCustomer t
join Person.EmailAddress s on s.BusinessEntityID = t.CustomerId
left join Person.PersonPhone p on p.BusinessEntityID = t.CustomerId
where t.Email <> s.EmailAddress;

delete s
from dbo.StageOrders s
join dbo.FactOrders f on f.OrderId = s.OrderId
where f.RowVersion >= s.RowVersion;

merge dbo.DimProduct as t
using (
  select p.ProductID, p.Name, sc.Name as SubCategory, p.ListPrice
  from Production.Product p
  left join Production.ProductSubcategory sc on sc.ProductSubcategoryID = p.ProductSubcategoryID
) as s on t.ProductId = s.ProductID
when matched and (t.Name <> s.Name or t.ListPrice <> s.ListPrice) then update set Name = s.Name, SubCategory = s.SubCategory, ListPrice = s.ListPrice
when not matched by target then insert (ProductId, Name, SubCategory, ListPrice) values (s.ProductID, s.Name, s.SubCategory, s.ListPrice)
when not matched by source then update set t.IsActive = 0;

select c.CustomerID, max(o.OrderDate) as LastOrder, count(*) as Orders
into #LastOrders
from Sales.Customer c
join Sales.SalesOrderHeader o on o.CustomerID = c.CustomerID
group by c.CustomerID;

insert into dbo.Churn (CustomerId, LastOrder, DaysSilent)
select CustomerID, LastOrder, datediff(day, LastOrder, getdate())
from #LastOrders
where LastOrder < dateadd(month, -6, getdate());

insert into dbo.OrderLines (OrderId, Sku, Qty)
select o.Id, j.Sku, j.Qty
from dbo.RawOrders o
cross apply openjson(o.Doc, '$.lines') with (Sku varchar(30) '$.sku', Qty int '$.qty') j;
