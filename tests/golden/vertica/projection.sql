create projection store.dim_proj (k, n) as select store_key, store_name from store.dim order by store_key unsegmented all nodes;
