merge into staff using (select id, salary from raises) as r using (id) when matched then update;
