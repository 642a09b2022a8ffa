-- A small star: sales and returns of a chain of shops, and what describes them.
CREATE TABLE day_dim (day_key INTEGER, day DATE, year INTEGER, quarter INTEGER, month INTEGER, weekday VARCHAR, holiday VARCHAR);
CREATE TABLE item_dim (item_key INTEGER, item_id VARCHAR, brand VARCHAR, category VARCHAR, class VARCHAR, list_price DECIMAL(12, 2), size VARCHAR);
CREATE TABLE customer_dim (customer_key INTEGER, name VARCHAR, city VARCHAR, state VARCHAR, birth_year INTEGER, segment VARCHAR, balance DECIMAL(12, 2));
CREATE TABLE shop_dim (shop_key INTEGER, shop_name VARCHAR, shop_state VARCHAR, manager VARCHAR, floor_space INTEGER);
CREATE TABLE supplier_dim (supplier_key INTEGER, supplier_name VARCHAR, nation VARCHAR, rating INTEGER);
CREATE TABLE sales (day_key INTEGER, item_key INTEGER, customer_key INTEGER, shop_key INTEGER, ticket INTEGER, quantity INTEGER, price DECIMAL(12, 2), discount DECIMAL(12, 2), cost DECIMAL(12, 2));
CREATE TABLE returns (day_key INTEGER, item_key INTEGER, customer_key INTEGER, shop_key INTEGER, ticket INTEGER, return_quantity INTEGER, amount DECIMAL(12, 2), reason VARCHAR);
CREATE TABLE web_sales (day_key INTEGER, item_key INTEGER, customer_key INTEGER, order_number INTEGER, quantity INTEGER, price DECIMAL(12, 2), ship_day_key INTEGER);
CREATE TABLE stock (day_key INTEGER, item_key INTEGER, shop_key INTEGER, on_hand INTEGER);
CREATE TABLE supplies (item_key INTEGER, supplier_key INTEGER, supply_cost DECIMAL(12, 2), available INTEGER);
