select a into local temp table x1 on commit preserve rows from t;

create table cust as at epoch latest select a encoding rle, b from src;

insert into o (a) select a from x1;

create trigger trg on schedule daily execute procedure p() as definer;
SELECT * INTO TEMPORARY TABLE kept ON COMMIT PRESERVE ROWS FROM (SELECT a, b FROM src) v;
INSERT INTO used (a) SELECT a FROM kept;
