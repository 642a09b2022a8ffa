rename table a to b;
rename view v to w;
