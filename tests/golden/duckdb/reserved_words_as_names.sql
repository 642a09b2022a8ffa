INSERT INTO o SELECT i.install, i.summarize FROM install AS i WHERE i.show > 1;
