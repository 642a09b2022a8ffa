insert into o1 select v.a from "_SYS_BIC"."pkg/CV_SALES"('PLACEHOLDER' = ('$$P_DAY$$', '20240101'), 'PLACEHOLDER' = ('$$Q$$', '1')) as v;
insert into o2 select v.a from "_SYS_BIC"."pkg/CV_SALES" (placeholder."$$P_DAY$$" => '20240101') v where v.b = 1;
insert into o3 select a from charts with parameters ('placeholder' = ('$$name$$', 'po'));
insert into o4 select f.a from rows_of('placeholder') f;
