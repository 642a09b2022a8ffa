insert into z (a) select i.a from (import from jdbc at con statement 'select a from q') i;
