create materialized view mv to tgt as select a, b * 2 as n from src where c > 1;
