delimiter //
create procedure set_up()
begin
    create table kept as select a from t;
    create trigger fill before insert on kept for each row set new.a = (select max(b) from u);
end//
