declare
  cursor cur is select a from t where b = 'Y';
  rec cur%rowtype;
begin
  open cur;
  loop
    fetch cur into rec;
    exit when cur%notfound;
    update u set x = rec.a;
  end loop;
  close cur;
end;
