create definer = current_user() event nightly on schedule every 1 day do insert into archive (id) select id from live;
alter definer = 'ops'@'%' event nightly do delete from live;
alter definer = current_user event nightly on schedule every 2 day;
create procedure switch_checks()
begin
  set unique_checks = off;
  insert into done (id) select id from todo;
  set unique_checks = on;
end
create trigger keep before delete on live for each row
begin
  insert into kept (id) values (old.id);
end
/
insert into report (id) select id from kept
/
update report set id = 1
/

--
--Names
--
rename tables if exists report to reports
/
rename user 'a'@'%' to 'b'@'%';
