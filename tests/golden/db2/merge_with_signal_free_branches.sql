merge into archive ar
using (select activity, description from activities) ac
on (ar.activity = ac.activity)
when matched then update set description = ac.description
when not matched then insert (activity, description) values (ac.activity, ac.description)
