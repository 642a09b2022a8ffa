whenever sqlerror exit failure
var total number
begin
  insert into log (line) select text from messages;
end;
/

prompt
prompt All lines of &user are there
accept pw char prompt 'Password: ' hide
exec :total := stats_pkg.count_lines(1)
variable other number
execute dbms_stats.gather_table_stats(user, 'LOG', -
    cascade => true)
exec begin insert into kept (line) select line from log; delete from log; end;
exec dbms_output.put_line('done; all of it')
create or replace type line_t under base_t (no number, member procedure print, static function make(x number) return line_t)
  not final;
/
insert into report (line) select line from kept;
quit
