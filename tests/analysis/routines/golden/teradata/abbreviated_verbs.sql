replace procedure stage.load_all ()
begin
  ins into stage.orders sel o.id, o.total from raw.orders o;
  upd stage.totals from raw.rates r set amount = r.rate where totals.code = r.code else insert values ('x', 0);
  del from raw.orders;
end;
begin query logging with sql limit sqltext = 0 on all;
end query logging on all;
replace query logging on accounting;
replace view stage.v_orders as locking row for access sel id (format 'Z9') (named order_id), total (title 'sum') from stage.orders;
insert into stage.log (n) sel count(*) from stage.orders; .if activitycount = 0 then .quit 5
insert into stage.marks (id) sel id from stage.orders;
.quit 0
