create table db.events_local (id UInt64, at DateTime, name String) engine = MergeTree order by id;

-- A distributed table is another face of the tables on the servers of a cluster.
create table db.events on cluster c as db.events_local engine = Distributed('c', 'db', 'events_local', rand());

insert into db.events (id, name) select k, n from source;

create materialized view daily to totals as select name, count() as n from db.events_local group by name;

-- The table behind it is not known: columns are passed on by their names.
create table clicks as other.clicks_local engine = Distributed(c, currentDatabase(), clicks_local);

insert into clicks (url) select u from pages;

create table buffered (a Int32) engine = Buffer(db, plain, 16, 10, 100, 10000, 1000000, 10000000, 100000000);

insert into buffered select x from y;

-- Nothing is behind this one: rows are thrown away when they are flushed.
create table thrown_away (a Int32) engine = Buffer('', '', 16, 10, 100, 10000, 1000000, 10000000, 100000000);

create table shown (k UInt64, v String) engine = Dictionary('db.words');
