INSERT INTO target SELECT a /* once /* twice */ FROM source;
/* /* still one comment */
INSERT INTO target SELECT b FROM other;
