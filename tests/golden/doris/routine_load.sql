CREATE ROUTINE LOAD shop.job ON orders COLUMNS (id, amount), WHERE id > 0
PROPERTIES ("format" = "json")
FROM KAFKA ("kafka_broker_list" = "broker:9092", "kafka_topic" = "orders");
PAUSE ROUTINE LOAD FOR shop.job;
