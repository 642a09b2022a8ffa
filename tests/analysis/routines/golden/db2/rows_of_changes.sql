create procedure book (in p_day date)
begin
  declare v_id integer;
  select id into v_id from final table (insert into bookings (amount) select amount from requests where day < current date - 3 days);
  insert into done (booking) values (v_id);
  insert into removed (id, reason) select id, reason from old table (delete from requests where day = p_day) as r;
  goto leaving;
  leaving: return 0;
end@
update command options using c off@
update db cfg for prod using logretain on@
values current timestamp@
