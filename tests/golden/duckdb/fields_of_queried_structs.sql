create table o1 as select (select array_agg({'c': c, 'd': d} order by e) from u)[1].d as x;
create table o2 as select array(select {'c': c, 'd': d} from u where u.k = t.k)[1].c as x from t;
create table o3 as select x.st.m as m, st.n as n from (select {'m': max(a), 'n': min(b)} as st from t) x;
create table o4 as select x.l[1].p as p from (select k, array_agg({'p': a, 'q': b} order by s) as l from t group by k) x;
