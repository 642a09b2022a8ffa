"""The pipeline as a PySpark job. Nothing outside of this package imports pyspark."""
