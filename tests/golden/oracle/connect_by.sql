create table org_paths as
select e.id, level as depth, sys_connect_by_path(e.name, '/') as path
from employees e
start with e.manager_id is null
connect by prior e.id = e.manager_id
