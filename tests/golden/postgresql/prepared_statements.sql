prepare fill(int) as insert into a (x) select y from b where z = $1;
execute fill(100);
execute fill(200);
