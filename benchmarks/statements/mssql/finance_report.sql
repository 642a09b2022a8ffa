with Accounts as (
  select a.AccountKey, a.ParentAccountKey, a.AccountCode, a.AccountName, a.Operator, a.AccountType
  from dbo.DimAccount a
  where a.IsActive = 1
),
AccountTree as (
  select a.AccountKey, a.AccountKey as RootKey, a.AccountName as RootName, 0 as Depth
  from Accounts a
  where a.ParentAccountKey is null
  union all
  select c.AccountKey, t.RootKey, t.RootName, t.Depth + 1
  from Accounts c
  join AccountTree t on t.AccountKey = c.ParentAccountKey
),
Periods as (
  select d.DateKey, d.FullDate, d.FiscalYear, d.FiscalQuarter, d.FiscalMonth,
         dense_rank() over (order by d.FiscalYear, d.FiscalMonth) as PeriodNo
  from dbo.DimDate d
  where d.FiscalYear >= year(getdate()) - 3
),
Organisations as (
  select o.OrganizationKey, o.OrganizationName, o.CurrencyKey, p.OrganizationName as ParentName,
         o.PercentageOfOwnership as Ownership
  from dbo.DimOrganization o
  left join dbo.DimOrganization p on p.OrganizationKey = o.ParentOrganizationKey
),
Rates as (
  select r.CurrencyKey, p.FiscalYear, p.FiscalMonth,
         avg(r.AverageRate) as AverageRate,
         max(case when r.DateKey = m.LastKey then r.EndOfDayRate end) as ClosingRate
  from dbo.FactCurrencyRate r
  join Periods p on p.DateKey = r.DateKey
  join (
    select FiscalYear, FiscalMonth, max(DateKey) as LastKey
    from dbo.DimDate
    group by FiscalYear, FiscalMonth
  ) m on m.FiscalYear = p.FiscalYear and m.FiscalMonth = p.FiscalMonth
  group by r.CurrencyKey, p.FiscalYear, p.FiscalMonth
),
Postings as (
  select f.AccountKey, f.OrganizationKey, f.DepartmentGroupKey, f.ScenarioKey, p.FiscalYear, p.FiscalQuarter, p.FiscalMonth, p.PeriodNo,
         sum(f.Amount) as Amount
  from dbo.FactFinance f
  join Periods p on p.DateKey = f.DateKey
  group by f.AccountKey, f.OrganizationKey, f.DepartmentGroupKey, f.ScenarioKey, p.FiscalYear, p.FiscalQuarter, p.FiscalMonth, p.PeriodNo
),
Converted as (
  select ps.AccountKey,
         ps.OrganizationKey,
         ps.DepartmentGroupKey,
         ps.ScenarioKey,
         ps.FiscalYear,
         ps.FiscalQuarter,
         ps.FiscalMonth,
         ps.PeriodNo,
         ps.Amount as LocalAmount,
         case a.AccountType
           when 'Assets' then ps.Amount * r.ClosingRate
           when 'Liabilities' then ps.Amount * r.ClosingRate
           else ps.Amount * r.AverageRate
         end * o.Ownership as GroupAmount
  from Postings ps
  join Accounts a on a.AccountKey = ps.AccountKey
  join Organisations o on o.OrganizationKey = ps.OrganizationKey
  left join Rates r
    on r.CurrencyKey = o.CurrencyKey
   and r.FiscalYear = ps.FiscalYear
   and r.FiscalMonth = ps.FiscalMonth
),
Actuals as (
  select c.AccountKey, c.OrganizationKey, c.FiscalYear, c.FiscalMonth, c.PeriodNo, sum(c.GroupAmount) as Actual
  from Converted c
  join dbo.DimScenario s on s.ScenarioKey = c.ScenarioKey
  where s.ScenarioName = 'Actual'
  group by c.AccountKey, c.OrganizationKey, c.FiscalYear, c.FiscalMonth, c.PeriodNo
),
Budgets as (
  select c.AccountKey, c.OrganizationKey, c.FiscalYear, c.FiscalMonth, sum(c.GroupAmount) as Budget
  from Converted c
  join dbo.DimScenario s on s.ScenarioKey = c.ScenarioKey
  where s.ScenarioName = 'Budget'
  group by c.AccountKey, c.OrganizationKey, c.FiscalYear, c.FiscalMonth
),
Forecasts as (
  select c.AccountKey, c.OrganizationKey, c.FiscalYear, c.FiscalMonth, sum(c.GroupAmount) as Forecast
  from Converted c
  join dbo.DimScenario s on s.ScenarioKey = c.ScenarioKey
  where s.ScenarioName = 'Forecast'
  group by c.AccountKey, c.OrganizationKey, c.FiscalYear, c.FiscalMonth
),
Combined as (
  select a.AccountKey, a.OrganizationKey, a.FiscalYear, a.FiscalMonth, a.PeriodNo,
         a.Actual,
         isnull(b.Budget, 0) as Budget,
         isnull(f.Forecast, b.Budget) as Forecast
  from Actuals a
  left join Budgets b
    on b.AccountKey = a.AccountKey
   and b.OrganizationKey = a.OrganizationKey
   and b.FiscalYear = a.FiscalYear
   and b.FiscalMonth = a.FiscalMonth
  left join Forecasts f
    on f.AccountKey = a.AccountKey
   and f.OrganizationKey = a.OrganizationKey
   and f.FiscalYear = a.FiscalYear
   and f.FiscalMonth = a.FiscalMonth
),
Rolled as (
  select t.RootKey, t.RootName, c.OrganizationKey, c.FiscalYear, c.FiscalMonth, c.PeriodNo,
         sum(case when a.Operator = '-' then -c.Actual else c.Actual end) as Actual,
         sum(case when a.Operator = '-' then -c.Budget else c.Budget end) as Budget,
         sum(case when a.Operator = '-' then -c.Forecast else c.Forecast end) as Forecast
  from Combined c
  join AccountTree t on t.AccountKey = c.AccountKey
  join Accounts a on a.AccountKey = c.AccountKey
  group by t.RootKey, t.RootName, c.OrganizationKey, c.FiscalYear, c.FiscalMonth, c.PeriodNo
),
History as (
  select r.*,
         lag(r.Actual, 1) over (partition by r.RootKey, r.OrganizationKey order by r.PeriodNo) as PreviousMonth,
         lag(r.Actual, 12) over (partition by r.RootKey, r.OrganizationKey order by r.PeriodNo) as PreviousYear,
         sum(r.Actual) over (
           partition by r.RootKey, r.OrganizationKey, r.FiscalYear
           order by r.PeriodNo
           rows between unbounded preceding and current row
         ) as YearToDate,
         sum(r.Budget) over (
           partition by r.RootKey, r.OrganizationKey, r.FiscalYear
           order by r.PeriodNo
           rows between unbounded preceding and current row
         ) as BudgetToDate
  from Rolled r
),
Headcount as (
  select e.OrganizationKey, p.FiscalYear, p.FiscalMonth, count(distinct e.EmployeeKey) as Heads
  from dbo.FactEmployment e
  join Periods p on p.FullDate between e.StartDate and isnull(e.EndDate, '99991231')
  group by e.OrganizationKey, p.FiscalYear, p.FiscalMonth
),
Comments as (
  select n.OrganizationKey, n.FiscalYear, n.FiscalMonth,
         string_agg(n.CommentText, '; ') within group (order by n.WrittenAt) as CommentText
  from dbo.FinanceComment n
  where n.Published = 1
  group by n.OrganizationKey, n.FiscalYear, n.FiscalMonth
)
insert into report.GroupFinance (
  FiscalYear, FiscalMonth, Organisation, Parent, Account, Actual, Budget, Forecast, Gap, GapPercent,
  PreviousMonth, PreviousYear, GrowthPercent, YearToDate, BudgetToDate, Heads, PerHead, Status, CommentText, ReportedAt
)
select h.FiscalYear,
       h.FiscalMonth,
       o.OrganizationName,
       o.ParentName,
       h.RootName,
       round(h.Actual, 2),
       round(h.Budget, 2),
       round(h.Forecast, 2),
       round(h.Actual - h.Budget, 2),
       case when h.Budget = 0 then null else round(100.0 * (h.Actual - h.Budget) / abs(h.Budget), 1) end,
       h.PreviousMonth,
       h.PreviousYear,
       case when h.PreviousYear = 0 then null else round(100.0 * (h.Actual - h.PreviousYear) / abs(h.PreviousYear), 1) end,
       h.YearToDate,
       h.BudgetToDate,
       hc.Heads,
       h.Actual / nullif(hc.Heads, 0),
       case
         when h.YearToDate >= h.BudgetToDate then 'on track'
         when h.Forecast >= h.Budget then 'recovering'
         else 'behind'
       end,
       cm.CommentText,
       sysdatetime()
from History h
join Organisations o on o.OrganizationKey = h.OrganizationKey
left join Headcount hc
  on hc.OrganizationKey = h.OrganizationKey
 and hc.FiscalYear = h.FiscalYear
 and hc.FiscalMonth = h.FiscalMonth
left join Comments cm
  on cm.OrganizationKey = h.OrganizationKey
 and cm.FiscalYear = h.FiscalYear
 and cm.FiscalMonth = h.FiscalMonth
where h.PeriodNo >= (select max(PeriodNo) - 24 from Periods);
