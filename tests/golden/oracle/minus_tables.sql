insert into diff (id)
select id from new_t minus select id from old_t
