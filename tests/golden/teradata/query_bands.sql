replace procedure p (in p_band varchar(100))
begin
  begin transaction;
  set query_band = p_band for transaction;
  insert into log_of_users (name) select user_name from dbc.sessions;
  end transaction;
end;
