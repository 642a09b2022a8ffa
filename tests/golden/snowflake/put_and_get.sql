put file:///tmp/data/x.csv @st auto_compress = true;
copy into t from @st;
get @~/out/ file:///tmp/back/;
copy files into @backup from @st;
