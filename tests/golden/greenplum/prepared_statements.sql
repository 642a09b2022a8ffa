prepare fill as insert into a (x) select y from b where z = 1;
execute fill;
execute fill;
