insert into o (a) select v.a from only (super_view) v;

insert into o (a) select sales from analytic view (using sales_av hierarchies (time_hier) add measures (l as (lag(sales) over (hierarchy time_hier offset 1))));

insert into o (a) select jt.ph from j, json_table(j.po format json, '$.x' null on error type(lax) columns (ph varchar2(10) format json path '$.p')) jt;

delete from e from d where e.k = d.k;
