insert into dbo.tags_of (id, tags)
select i.id, stuff((select ',' + t.name from dbo.tags as t where t.item_id = i.id for xml path(''), type).value('.', 'nvarchar(max)'), 1, 1, '')
from dbo.items as i
