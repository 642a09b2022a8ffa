insert into raw_customers (id, first_name, last_name) values (0, '', ''), (1, 'Ann', 'Lee')
