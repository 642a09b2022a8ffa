INSERT INTO target SELECT a /* outer /* inner */ still outer */ FROM source;
INSERT INTO target SELECT b /* outer /* inner */ FROM other;
