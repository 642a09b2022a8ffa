insert into o (s) select payload..site.no from t;

create trigger tr before insert on emp referencing new as nw for each row
begin atomic
  (insert into lg (b) select nw.b from k;)
end;

as of transactiontime timestamp '2010-01-01 00:00:00' insert into p (x) select x from q;

sessions 2;
errlimit 25;
begin loading stage errorfiles e1, e2 checkpoint 100000;
