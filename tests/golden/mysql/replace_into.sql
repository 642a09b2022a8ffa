replace into cache (k, v)
select id, json_object('n', name) from people
