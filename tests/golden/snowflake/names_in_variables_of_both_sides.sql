insert into identifier(:target) select * from table(:source);
