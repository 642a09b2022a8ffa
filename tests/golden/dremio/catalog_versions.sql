alter pds x refresh metadata;
merge branch b into main in n;
