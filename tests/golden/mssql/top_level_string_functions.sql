create view dbo.v as
select isnull(p.first_name, '') + ' ' + p.last_name as full_name, convert(date, p.born) as born
from [Person].[Person] p with (nolock)
