create temporary view v (a int) using parquet;
