create table n deep clone o;
create or replace table n2 shallow clone db.o version as of 3;
apply changes into live.target from stream(live.source) keys (id) sequence by ts;
create flow f as auto cdc into target2 from stream(cdc.users) keys (id) sequence by ts;
