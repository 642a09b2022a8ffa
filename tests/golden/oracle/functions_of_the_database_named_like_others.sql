-- The grammar knows a function of this name from other vendors, with other arguments.
INSERT INTO parts (item) SELECT p.COLUMN_VALUE FROM lists l, TABLE(split(l.text)) p;
INSERT INTO known (item) SELECT split(l.text) || split(l.name) FROM lists l;
