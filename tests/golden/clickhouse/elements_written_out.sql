-- metadata: {"t": ["a", "b", "c"]}
CREATE TABLE o ENGINE = Memory AS SELECT [a, b][1] AS x, (a, b).2 AS y, tupleElement((a, b, c), 3) AS z, arrayElement([a, b], -1) AS v FROM t;
