create vds s.v as select * from t at branch main join u at tag x on t.a = u.b;
insert into o at branch b (a) select c from s at commit "abc";
delete from o at branch b using s where o.a = s.a;
