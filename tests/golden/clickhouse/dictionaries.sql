INSERT INTO o (a, n) SELECT a, dictGet('refs.countries', 'name', code) FROM t;
INSERT INTO p (v) SELECT joinGet('refs.rates', 'rate', day) FROM t;
INSERT INTO q (id) SELECT id FROM dictionary('refs.countries');
