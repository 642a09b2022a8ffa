create table if not exists &{ ctx.env.target_schema }.log (line varchar);
insert into <% ctx.env.target_schema %>.log (line)
select text from <% source_db %>.public.messages where level < <% highest %> and line % 2 = 0;
