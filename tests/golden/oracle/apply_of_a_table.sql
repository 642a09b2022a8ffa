INSERT INTO prices (code, rate)
SELECT g.code, r.rate FROM goods g CROSS APPLY rates r WHERE r.kind = g.kind;
INSERT INTO prices (code, rate) SELECT g.code, r.rate FROM goods g OUTER APPLY archive.rates r;
