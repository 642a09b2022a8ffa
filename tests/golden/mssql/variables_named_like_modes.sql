create procedure newest @result int out as
select @result = max(a) from source
go
declare @out int, @output int
exec newest @out out
insert into target (a) values (@out)
exec newest @result = @output output
insert into target (b) values (@output)
