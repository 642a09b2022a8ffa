create sink s from quotes into kafka connection kc (topic 'quotes-sink') format json envelope debezium;
