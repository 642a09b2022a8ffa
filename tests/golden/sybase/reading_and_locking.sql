create procedure get_profiles @gender char(1) as
begin
  insert into chosen (id)
  select p.user_id from profiles p (index by_place) holdlock
  where p.gender = @gender and not exists (select 1 from blocked b noholdlock where b.target = p.user_id)
  at isolation read uncommitted
  return @@error
end
go
select c.country, rate = max(c.rate) into #r from rates c holdlock group by c.country at isolation 0
insert best select r.country, r.rate from #r r
go
