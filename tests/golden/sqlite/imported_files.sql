.mode csv
.import data.csv raw
.import --csv --skip 1 /tmp/data.csv raw_2
insert into o select a from raw;
