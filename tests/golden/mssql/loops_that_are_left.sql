declare @a int, @b int, @c int;
declare c cursor for select a, b, c from t;
open c;
fetch next from c into @a, @b, @c;
while @@fetch_status = 0
begin
    if @b > 3
        continue;
    if @c > 3
        break;
    insert into o (x) values (@a);
    fetch next from c into @a, @b, @c;
end;
