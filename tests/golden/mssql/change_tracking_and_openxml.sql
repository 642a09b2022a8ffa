insert into dbo.changes (k, op)
select ct.k, ct.sys_change_operation from changetable(changes dbo.tracked, @last) as ct;

insert into dbo.items (id, name)
select id, name from openxml(@doc, '/r/a', 2) with (id int '@id', name varchar(10) 'b')
