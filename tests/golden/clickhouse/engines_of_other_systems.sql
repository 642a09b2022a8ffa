create table orders (id UInt64, paid Decimal(9, 2)) engine = MySQL('h:3306', 'shop', 'orders', 'u', 'secret');

create table people (id UInt64) engine = PostgreSQL('h:5432', 'crm', 'people', 'u', 'secret', 'hr');

insert into people select id from newcomers;

create table notes (t String) engine = MongoDB('h:27017', 'docs', 'notes', 'u', 'secret');

create table old (a String) engine = ODBC('DSN=legacy;PWD=secret', 'd', 't');

create table linked (a String) engine JDBC('jdbc:mysql://h:3306/?user=root&password=root', 'd', 't');

create table small (a Int32) engine = SQLite('my.db', 't');

create table queue (a Int32) engine = Kafka('h:9092', 'clicks,views', 'g', 'JSONEachRow');

create table queue_2 (a Int32) engine = Kafka
settings kafka_broker_list = 'h:9092', kafka_topic_list = 'clicks', kafka_group_name = 'g', kafka_format = 'CSV';

create table rabbits (a Int32) engine = RabbitMQ
settings rabbitmq_host_port = 'h:5672', rabbitmq_exchange_name = 'x', rabbitmq_format = 'CSV';

create table messages (a Int32) engine = NATS settings nats_url = 'h:4222', nats_subjects = 's', nats_format = 'CSV';
create table parcels (a Int32) engine = NATS settings nats_url = 'nats://u:secret@h:4222', nats_subjects = 'p', nats_format = 'CSV';
create table letters (a Int32) engine = MongoDB('mongodb://u:secret@h:27017/docs', 'letters');
