------------------------------------------------------------
--Stock
------------------------------------------------------------
create table stock (item int, amount int); --all of it
insert into stock (item, amount) select item, qty from delivery;
--done
insert into archive (item) select item from stock; --done as well
