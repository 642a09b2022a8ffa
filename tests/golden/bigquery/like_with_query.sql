create table d.x like d.y as select a from z;
