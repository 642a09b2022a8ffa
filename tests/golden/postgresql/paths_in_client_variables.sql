COPY :area.raw FROM :'folder' CSV;
COPY raw (a) TO :'target' CSV;
