insert into o (a, b, c) select char(current date - (1 + t.x) days), t.d + t.y days, t.d - 1 month
  from t where t.z > current timestamp - f(t.w) hours with ur;
insert into o2 select day, b month from t2;
insert into &lib..o3 (a) select t.a from &work._1 t where t.d = &day;
