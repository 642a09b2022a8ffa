create procedure run_as @who sysname, @command nvarchar(max) as
begin
    set @command = 'EXECUTE AS USER = ''' + @who + '''; ' + @command + '; REVERT;'
    execute sp_executesql @stmt = @command
end
