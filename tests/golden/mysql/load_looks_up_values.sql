load data infile '/tmp/people.csv' into table people fields terminated by ',' (id, @code, @born)
set country = (select c.id from countries c where c.code = @code), born = str_to_date(@born, '%d.%m.%Y'),
    grade = coalesce((select max(g.grade) from grades g), 0);
