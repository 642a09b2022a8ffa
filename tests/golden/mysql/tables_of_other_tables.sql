create table total (a int not null, m char(20), index (a)) engine = merge union = (t1, t2) insert_method = last;

create table remote (id int) engine = federated connection = 'mysql://user:secret@h:9306/shop/orders';

create table remote_2 (id int) engine = federated connection = 's/orders';

insert into remote_2 select k from t;

create table own (id int) engine = InnoDB;
