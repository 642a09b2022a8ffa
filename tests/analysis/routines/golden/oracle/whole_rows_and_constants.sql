create or replace package body loads as
  procedure notes is
    type note_list is table of note%rowtype index by pls_integer;
    notes note_list;
    cursor found is select acct as account_no, txt as body from raw_notes where kind = config.c_note_kind;
  begin
    open found;
    loop
      fetch found bulk collect into notes limit 1000;
      exit when notes.count = 0;
      forall i in notes.first .. notes.last
        insert into note values notes(i);
    end loop;
    close found;
  exception
    when others then
      insert into failures (message, code) values (dbms_utility.format_error_backtrace, config.c_code);
      raise;
  end notes;

  procedure bump(p_id number) is
    l_amount number;
  begin
    update accounts set amount = amount + config.c_step where id = p_id return amount into l_amount;
    insert into amounts (amount) values (l_amount);
  end bump;
end loads;
/
