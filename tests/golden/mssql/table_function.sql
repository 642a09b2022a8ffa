select entry as account into dbo.accounts from warehouse.dbo.fnListToTable(@list)
