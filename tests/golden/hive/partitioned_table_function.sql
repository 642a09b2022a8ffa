-- metadata: {"part": ["p_name", "p_mfgr", "p_size"], "flights": ["fl_num", "late", "city"]}
-- NOOP gives what it takes; of any other function every column may be made of all that goes in.
insert into o1 select p_mfgr, rank() over (partition by p_mfgr order by p_name) from noop(on part partition by p_mfgr order by p_name);
insert into o2 select abc.p_size from noop(on noop(on part p partition by p_mfgr) order by p_name) abc;
insert into o3 select tpath from matchpath(on flights distribute by fl_num sort by city arg1('LATE+'), arg2('LATE'), arg3(late > 15));
