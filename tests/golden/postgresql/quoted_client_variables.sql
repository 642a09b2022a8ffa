INSERT INTO target SELECT :'names'::text[] AS given, a FROM source WHERE b = :'limit';
