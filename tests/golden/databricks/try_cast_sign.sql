INSERT INTO target SELECT amount?::INT AS amount, ?::INT AS given FROM source;
