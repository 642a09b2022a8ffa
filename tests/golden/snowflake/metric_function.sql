CREATE DATA METRIC FUNCTION checks.missing (rows_of TABLE (c NUMBER)) RETURNS NUMBER
  AS 'SELECT COUNT_IF(c IS NULL) FROM rows_of';
DEFINE FUNCTION checks.margin (revenue NUMBER, cost NUMBER) RETURNS NUMBER AS $$ revenue - cost $$;
