create view dbo.vCustomerOrders as
select c.CustomerID, p.FirstName + ' ' + p.LastName as FullName, o.SalesOrderID, o.TotalDue,
       row_number() over (partition by c.CustomerID order by o.OrderDate desc) as OrderNo
from Sales.Customer c
join Person.Person p on p.BusinessEntityID = c.PersonID
left join Sales.SalesOrderHeader o on o.CustomerID = c.CustomerID;

create view dbo.vTerritoryMonths as
select Territory, [1] as Jan, [2] as Feb, [3] as Mar, [4] as Apr
from (
  select t.Name as Territory, month(o.OrderDate) as M, o.TotalDue
  from Sales.SalesOrderHeader o
  join Sales.SalesTerritory t on t.TerritoryID = o.TerritoryID
) s
pivot (sum(TotalDue) for M in ([1], [2], [3], [4])) p;

create view dbo.vEmployeeTree as
with Tree as (
  select e.EmployeeID, e.ManagerID, e.Title, 0 as Lvl from HumanResources.Employee e where e.ManagerID is null
  union all
  select e.EmployeeID, e.ManagerID, e.Title, t.Lvl + 1
  from HumanResources.Employee e
  inner join Tree t on t.EmployeeID = e.ManagerID
)
select EmployeeID, Title, Lvl from Tree;

create view dbo.vLatestPrice as
select p.ProductID, p.Name, h.ListPrice, h.StartDate
from Production.Product p
outer apply (
  select top 1 x.ListPrice, x.StartDate
  from Production.ProductListPriceHistory x
  where x.ProductID = p.ProductID
  order by x.StartDate desc
) h;

select top (25) with ties p.Name, sum(d.LineTotal) as Revenue,
       iif(sum(d.LineTotal) > 100000, 'A', iif(sum(d.LineTotal) > 10000, 'B', 'C')) as Class
from Sales.SalesOrderDetail d
join Production.Product p on p.ProductID = d.ProductID
where d.ModifiedDate >= '20240101'
group by p.Name
order by sum(d.LineTotal) desc;

insert into dbo.WorkOrderCost (WorkOrderId, PlannedCost, ActualCost, Overrun)
select w.WorkOrderID, sum(r.PlannedCost), sum(r.ActualCost), sum(r.ActualCost) - sum(r.PlannedCost)
from Production.WorkOrder w
join Production.WorkOrderRouting r on r.WorkOrderID = w.WorkOrderID and r.ProductID = w.ProductID
where w.EndDate between @from and @to
group by w.WorkOrderID
having sum(r.ActualCost) > 0;

create view dbo.vVendorScore as
select v.Name,
       count(distinct h.PurchaseOrderID) as Orders,
       sum(case when d.RejectedQty > 0 then 1 else 0 end) as BadLines,
       cast(sum(d.RejectedQty) as float) / nullif(sum(d.ReceivedQty), 0) as RejectRate,
       string_agg(cast(h.PurchaseOrderID as varchar(12)), ',') within group (order by h.OrderDate) as OrderList
from Purchasing.Vendor v
join Purchasing.PurchaseOrderHeader h on h.VendorID = v.BusinessEntityID
join Purchasing.PurchaseOrderDetail d on d.PurchaseOrderID = h.PurchaseOrderID
group by v.Name;
