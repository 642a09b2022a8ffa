create table raw (id int, v int);
create stream changes on table raw;
create dynamic table totals target_lag = '1 minute' warehouse = w as select id, v from raw;
create task load_it warehouse = w schedule = '1 minute' when system$stream_has_data('changes')
as insert into facts select id, v from changes;
