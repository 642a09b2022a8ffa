-- The grammar knows a function of this name from other vendors, with other arguments.
CREATE FUNCTION split(list text) RETURNS SETOF text LANGUAGE sql AS $$ SELECT word FROM words WHERE words.list = split.list $$;
INSERT INTO found (item) SELECT x FROM split('a,b') x;
