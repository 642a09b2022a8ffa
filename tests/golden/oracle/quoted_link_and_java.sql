insert into o (a) select u.b from u@"Link1" u;

create or replace and resolve java source named "X" as
public class X { public static String f() { String s = "select"; return s; } };
/
insert into p (a) select b from c;
