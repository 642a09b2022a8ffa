CREATE OR REPLACE LUA SCRIPT etl.load_day (day, tab) RETURNS TABLE AS
  -- query([[INSERT INTO never SELECT a FROM never]])
  local rows = query([[
    SELECT session_id FROM etl.flagged
  ]])
  pquery("INSERT INTO etl.days (day, total) SELECT day, '" .. day .. "' FROM etl.raw WHERE kind = " .. kind)
  for i = 1, #rows do
    pcall(query, [[
      UPDATE etl.flagged SET killed = TRUE WHERE session_id = ]] .. rows[i][1])
  end
  query([[INSERT INTO ]] .. tab .. [[ SELECT a FROM etl.source]])
  output("INSERTED")
/
INSERT INTO etl.sums SELECT total FROM etl.days;
CREATE PYTHON3 SCALAR SCRIPT f (a INT) RETURNS INT AS
def run(ctx):
  return "INSERT INTO never SELECT a FROM never"
/
