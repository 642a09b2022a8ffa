((select a, b from t)) union all (select c, d from u into outfile 'test.dump');
