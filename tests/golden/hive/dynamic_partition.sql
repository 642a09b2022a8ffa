-- metadata: {"db.o": ["id", "v", "dt"]}
insert overwrite table db.o partition (dt)
select id, v * 2, day from db.t
