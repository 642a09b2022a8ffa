create or replace table trips as
select vendor_id, pickup_at, dropoff_at, passenger_count, trip_distance, fare_amount, tip_amount
from raw_trips
where trip_distance > 0 and fare_amount > 0;

create table hourly as
select date_trunc('hour', pickup_at) as hour, count(*) as trips, avg(fare_amount) as fare, quantile_cont(tip_amount, 0.5) as median_tip
from trips
group by all
order by all;

create table clean as
select * exclude (debug, raw_json) replace (lower(email) as email) from people;

create table merged as
select id, name, city from a union all by name select id, city, phone from b;

insert into latest
from events select id, status, ts qualify row_number() over (partition by id order by ts desc) = 1;

create view v_prices as
select t.symbol, t.at, t.qty, p.price, t.qty * p.price as value
from trades t
asof join prices p on t.symbol = p.symbol and t.at >= p.at;

create table tags_long as select id, unnest(string_split(tags, ',')) as tag, len(tags) as l from posts;

create table m as
select list_transform(xs, x -> x * 2) as doubled, list_filter(xs, x -> x > k) as big, struct_pack(a := p, b := q) as s from series;

create table wide as
select region, sum(amount) filter (where quarter = 'Q1') as q1, sum(amount) filter (where quarter = 'Q2') as q2, list(distinct rep order by rep) as reps
from sales
group by region;

insert or replace into settings (key, value) select k, v from new_settings where v is not null;
