config {
  type: "incremental",
  name: "sessions",
  columns: { id: "it's the {key}" } // not SQL
}
js {
  const start = "2024-01-01";
}
pre_operations {
  DELETE FROM ${self()} WHERE day > ${start}
  ---
  INSERT INTO d.log (id) SELECT id FROM ${ref("requests")}
}
SELECT r.id, c.name, ${format(r.note)} AS note
FROM ${ref("web", "requests")} r
JOIN ${ref({ schema: "crm", name: "customers" })} c ON c.id = r.customer
${when(incremental(), `WHERE r.day > (SELECT max(day) FROM ${self()})`)}
post_operations {
  INSERT INTO d.log (id) SELECT id FROM ${self()};
}
