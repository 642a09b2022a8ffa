create rule keep as on delete to t1 do delete from t2 where t2.b = old.a;

create or replace rule changes as on update to v where new.a > 1 do instead (
    insert into log (was, is_now) values (old.a, new.a);
    update t set x = new.a where k = old.k
);

create rule ignored as on insert to v do instead nothing;
