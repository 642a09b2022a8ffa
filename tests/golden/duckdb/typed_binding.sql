INSERT INTO target SELECT ?::DECIMAL AS amount, a FROM source WHERE b = ?::INT;
