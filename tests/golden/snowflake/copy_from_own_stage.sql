COPY INTO sales.orders;
COPY INTO refunds (id) FILE_FORMAT = (TYPE = CSV);
