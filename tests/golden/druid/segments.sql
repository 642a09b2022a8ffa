replace into w overwrite where __time >= timestamp '2020-01-01'
select floor(ts to hour) as __time, channel, count(*) as n from src group by 1, 2
partitioned by day clustered by channel;

insert into x select a, b from y partitioned by all;
