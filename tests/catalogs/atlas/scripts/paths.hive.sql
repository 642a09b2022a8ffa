load data inpath 'hdfs://nn:8020/landing/orders' into table raw.orders;
load data local inpath '/tmp/customers.csv' overwrite into table raw.customers;
insert overwrite directory 's3a://exports/orders/2024' select id, amount from raw.orders;
insert overwrite local directory '/tmp/out' select id from raw.customers;
create external table raw.clicks (id int, url string) location 'abfs://data@account.dfs.core.windows.net/clicks';
create external table raw.events (id int) location 'gs://events/daily';
from raw.orders insert overwrite table core.big select id, amount where amount > 100 insert overwrite table core.ids select id;
