insert all
  into names (id, name) values (id, name)
  into cities (id, city) values (id, upper(city))
select id, name, city from people where active = 'Y'
