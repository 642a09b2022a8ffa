create table o as select c.id, k, v from customers as c, unpivot c.orders[0] as v at k;
