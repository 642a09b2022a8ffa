merge into z using u using (s, k) when matched then update set y = u.c
