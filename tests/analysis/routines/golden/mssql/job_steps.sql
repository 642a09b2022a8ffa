exec msdb.dbo.sp_add_job @job_name = N'nightly';
exec msdb.dbo.sp_add_jobstep @job_name = N'nightly', @step_name = N'load', @subsystem = N'TSQL',
    @command = N'insert into dbo.days (day) select day from stage.days where closed = 1', @database_name = N'warehouse';
exec msdb.dbo.sp_add_jobstep @job_name = N'nightly', @step_name = N'copy', @subsystem = N'CMDEXEC', @command = N'copy a b';
exec ('insert into dbo.copies (a) select a from dbo.originals') as user = 'loader' at backup_server;
