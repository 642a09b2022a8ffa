create procedure p (in k int, out o customers) language sqlscript reads sql data with result view customers_of as
begin
    o = select id, name from customer where region = :k;
end;

insert into x (n) select name from customers_of;
