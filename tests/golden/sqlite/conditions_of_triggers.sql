create trigger paid after update on orders when new.state <> old.state and new.kind in ('a', 'b')
begin
    insert into log (order_id) values (new.id);
end;
