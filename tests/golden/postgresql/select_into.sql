select id, name into backup_people from people where active
