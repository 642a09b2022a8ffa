update accounts
set (contact_first, contact_last) = (select first_name, last_name from people where people.id = accounts.person_id)
