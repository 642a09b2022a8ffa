create table ds.n copy ds.o;
create snapshot table ds.s clone `p.ds.o` for system_time as of current_timestamp();
create table ds.l like ds.o;
create materialized view ds.mv as replica of ds.original;
