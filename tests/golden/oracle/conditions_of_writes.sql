create or replace trigger check_pay after insert or update on emp for each row when (new.dept > 1)
declare
    v_top number;
begin
    select max(pay) into v_top from bands where grade = :new.grade;
    if :new.pay > v_top then
        insert into alerts (emp_id) values (:new.id);
    elsif inserting then
        null;
    end if;
    if sql%rowcount = 0 then
        delete from retries;
    end if;
end;
/
