.import data.csv raw
insert into o select a from raw;
