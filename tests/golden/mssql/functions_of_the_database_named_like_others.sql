-- The grammar knows a function of this name from other vendors, with other arguments.
CREATE FUNCTION dbo.split (@list VARCHAR(100)) RETURNS @rows TABLE (item VARCHAR(10)) AS
BEGIN
    INSERT INTO @rows (item) SELECT word FROM words WHERE list = @list
    RETURN
END
GO
INSERT INTO found (item) SELECT x.item FROM dbo.split('a,b') x JOIN [dbo].[Split](@more) y ON y.item = x.item;
INSERT INTO parts (item) SELECT p.item FROM lists l CROSS APPLY dbo.split(l.text) p;
