import from csv file '/tmp/x.csv' into s.t;
export s.t as csv into '/tmp/o';
