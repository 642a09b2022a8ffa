select name into dbo.collations from ::fn_helpcollations()
