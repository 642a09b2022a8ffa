create view mart.v as select a, b::int as b from raw.t with no schema binding
