create table o as select x.st.p as z, st.q as y from (select {'p': a, 'q': b} as st from t where k > 1) x;
create table g as select x.st.p as z from (select {'p': max(a), 'q': b} as st from t group by b) x
