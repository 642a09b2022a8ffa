insert into files (path) select relative_path from directory(@src_stage) where size > 10;
copy files into @trg_stage from (select relative_path from directory(@src_stage));
