import into t (a, b) from csv at 'https://host/x' user 'me' identified by 'TOPSECRET' file 'f.csv' file 'g.csv';
import into j from jdbc at conn statement 'select a, b from remote_t';
export t into csv at 'http://h' user 'u' identified by 'TOPSECRET' file 'o.csv';
export (select a from t) into local csv file '/x/y.csv';
export t into script etl.send with address = 'h:1';
import into u from script etl.receive with address = 'h:1';
import into (like t) from exa at conn statement 'select a from remote_t';
