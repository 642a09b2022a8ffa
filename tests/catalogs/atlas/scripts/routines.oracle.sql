create or replace package body app.etl as
    procedure copy_customers is
        cursor c is select id, name from app.customers where active = 1;
    begin
        for r in c loop
            insert into app.customer_copy (id, name) values (r.id, r.name);
        end loop;
    end;
end;
/
create or replace procedure app.close_month (p_month in date) is
begin
    delete from app.open_items where month = p_month;
    insert into app.closed_items (id, month) select id, month from app.items where month = p_month;
end;
/
