insert into o select snapshot_id from db."ice$snapshots";
