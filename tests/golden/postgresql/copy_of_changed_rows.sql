copy (delete from t where kind = 'old' returning id) to '/tmp/removed.csv';
