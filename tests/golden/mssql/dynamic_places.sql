create procedure export_day @day varchar(10) as
  declare @sql varchar(max) = 'create external table dbo.out_days with (location = ''/files/' + @day +
    '/'', data_source = lake, file_format = parquet) as select id, total from dbo.days'
  exec (@sql)
