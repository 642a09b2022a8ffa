UPDATE o SET @v = a = t.a FROM o JOIN t ON o.i = t.i;
