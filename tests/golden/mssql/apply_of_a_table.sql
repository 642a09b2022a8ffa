INSERT INTO prices (code, rate)
SELECT g.code, r.rate FROM goods g CROSS APPLY dbo.rates r WHERE r.kind = g.kind;
INSERT INTO prices (code, rate) SELECT g.code, [old rates].rate FROM goods g OUTER APPLY archive..[old rates];
SELECT factor AS rate INTO #factors FROM factors;
INSERT INTO prices (code, rate) SELECT g.code, f.rate FROM goods g CROSS APPLY #factors f;
WITH latest AS (SELECT rate FROM news) INSERT INTO prices (code, rate) SELECT g.code, l.rate FROM goods g CROSS APPLY latest l;
INSERT INTO prices (code, rate) SELECT g.code, x.rate FROM goods g CROSS APPLY far.shop.dbo.offers AS x;
