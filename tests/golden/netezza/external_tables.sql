create external table '/tmp/o.csv' using (delimiter ',') as select a from t;
create external table e (a int) using (dataobject ('/tmp/i.csv') delimiter '|');
