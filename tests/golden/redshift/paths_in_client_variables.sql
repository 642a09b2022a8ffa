COPY :area.raw FROM :folder IAM_ROLE default CSV;
COPY stage.raw FROM :'folder' IAM_ROLE default CSV;
UNLOAD ('SELECT a FROM stage.raw') TO :target IAM_ROLE default;
