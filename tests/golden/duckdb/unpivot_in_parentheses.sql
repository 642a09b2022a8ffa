CREATE TABLE o AS (UNPIVOT t ON jan, feb INTO NAME month VALUE sales);
CREATE TABLE p AS SELECT a FROM query_table('u');
