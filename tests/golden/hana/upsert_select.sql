upsert "MART"."O" ("ID", "V")
select "ID", "V" from "STAGE"."T"
