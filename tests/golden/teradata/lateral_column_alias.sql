create view db1.v as
select price * qty as net, net * 1.2 as gross from db1.lines
