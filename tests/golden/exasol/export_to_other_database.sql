export (select a from t) into jdbc at conn user 'u' identified by 'TOPSECRET' table s.remote;
import into t2 from exa at conn table s.remote2;
