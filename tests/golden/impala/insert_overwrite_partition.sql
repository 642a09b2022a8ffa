insert overwrite db.o partition (year = 2024, month)
select a, b, m from db.t
