insert into o (x, n) with c as (select a from b) values ((select a from c), 2);
