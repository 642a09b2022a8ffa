INSERT INTO target SELECT a, $3 AS given, $tag$ not $1 $tag$ AS words FROM source WHERE b = $1 AND c = $2;
