-- Given as '{{id,type}, {id,type}, ...}'.
insert into o (a) select make(t.b, '{{0,0}}', '{{1,2},{3,4}}') from t;

insert into p (a) select f(t.c, '{{x,y}}') from t;
