create table mart.o as
select id, sum(v) as v from stage.t group by id
distributed by (id)
