create table o as
select "name" as n from table(result_scan(last_query_id()))
