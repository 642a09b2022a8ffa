create function add_one(x int) returns int language python as $$
def add_one(x):
    y = "it's"; return x + int(1)
$$;

create function add_two(x int) returns int language python as $code$return x + len("$$; select")$code$;

create table o as select add_one(a) as b from t;
