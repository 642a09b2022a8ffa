select entry as Account FROM WarehouseReporting.dbo.fnListToTable(@AccountList)
