create virtual table people at "source"."db"."hr"."persons";

create virtual table orders at "source"."<NULL>"."shop"."orders";

insert into staff (id) select id from people;
