insert into new_ids
select s.id from stage s left anti join target t on s.id = t.id
