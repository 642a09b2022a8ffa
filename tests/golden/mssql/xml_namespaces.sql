with xmlnamespaces ('http://example.org/o' as o), picked as (select id, doc from dbo.inbox where state = 1)
insert into dbo.orders (id, total)
select id, doc.value('(/o:order/o:total)[1]', 'money') from picked
