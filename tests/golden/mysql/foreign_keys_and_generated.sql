create table p (id int primary key, a int);
create table c (
  id int,
  pid int,
  q int references p,
  g int generated always as (id + pid) stored,
  h varchar(20) as (concat(id, '-', q)) virtual,
  key by_pid (pid),
  constraint fk foreign key by_parent (pid) references p (id) on delete cascade
);
