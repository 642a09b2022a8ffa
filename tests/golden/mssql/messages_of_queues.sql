declare @b varbinary(max);
declare @messages table (h uniqueidentifier, b varbinary(max));
waitfor (receive top (1) @b = message_body from dbo.inbox), timeout 1000;
insert into one (body) select @b;
receive conversation_handle, message_body from dbo.inbox into @messages;
insert into several (body) select b from @messages;
