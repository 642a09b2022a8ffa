create schema hollywood
  create table films (title text, awards text)
  create view winners as select title from films where awards is not null
  grant select on winners to critics;

insert into o (a) select title from hollywood.winners;
