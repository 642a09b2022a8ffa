select cron.schedule('nightly', '0 3 * * *', $$insert into daily (device) select device from conditions$$);
select cron.schedule('0 4 * * *', 'delete from old_rows');
select cron.unschedule('nightly');
