insert into log set at = now(), who = (select u.name from users u where u.id = 7)
