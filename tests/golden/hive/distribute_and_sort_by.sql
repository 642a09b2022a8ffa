insert overwrite table o
select a, b from t distribute by a sort by b
