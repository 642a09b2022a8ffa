SELECT * INTO #work FROM orders;
SELECT id INTO report FROM #work;
