create view street as
select r.name, c.cname from road r, city c where c.outline ?# r.path;

create table near as select count(*) as n from places where tags #># 'p=>1';

create table closest as select id, spot <-> home as distance from orders;
