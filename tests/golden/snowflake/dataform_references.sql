config { type: "operations" }
INSERT INTO d.o (a) SELECT a FROM ${ref('t')};
INSERT INTO d.p (a) SELECT a FROM ${ref("crm", "u")} WHERE b > ${limit};
