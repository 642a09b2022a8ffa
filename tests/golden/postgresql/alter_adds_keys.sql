alter table only c add constraint fk foreign key (a, b) references s.p (x, y) on delete cascade;
alter table c add column z int references p (id);
alter table c add column w int generated always as (a * 2) stored;
