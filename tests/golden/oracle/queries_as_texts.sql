insert into docs (doc) select dbms_xmlgen.getxml('select a.x from ' || 'app.things a where a.y = 1') from dual;
insert into parts (name)
  select p.name
  from xmltable('/ROWSET/ROW' passing dbms_xmlgen.getxmltype('select table_name from parts_of_tables')
                columns name varchar2(30) path 'TABLE_NAME') p;
insert into counts (n) select dbms_xmlgen.getxml('select count(*) from ' || t.table_name) from user_tables t;
