prepare fill from insert into a (x) select y from b where z = ?;
execute fill using 100;
