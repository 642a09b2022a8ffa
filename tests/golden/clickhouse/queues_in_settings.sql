CREATE TABLE orders (id UInt64) ENGINE = Kafka() SETTINGS kafka_broker_list = 'h:9092', kafka_topic_list = 'orders';
CREATE TABLE returns (id UInt64) ENGINE = Kafka('h:9092') SETTINGS kafka_topic_list = 'returns';
CREATE TABLE mails (id UInt64) ENGINE = RabbitMQ() SETTINGS rabbitmq_host_port = 'r:5672', rabbitmq_exchange_name = 'mails';
