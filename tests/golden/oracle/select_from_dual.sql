insert into o (a, b) select seq.nextval, sysdate from dual
