create table o as
select id, sys_connect_by_path(name, '/') as path
from org
start with parent_id is null
connect by parent_id = prior id
