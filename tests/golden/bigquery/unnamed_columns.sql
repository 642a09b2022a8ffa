-- Unnamed columns are counted from f0_; a field is called by its own name.
create table d.x as select a, upper(b), (c), concat(b, c), st.f from d.s;
insert into d.o select f1_, f0_, c, f from d.x;
