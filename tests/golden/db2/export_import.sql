export to f.del of del select a from t;
import from f.del of del insert into t (a, b);
load from '/x/f' of del insert into u;
