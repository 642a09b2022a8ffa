-- The suppliers that ask the least for an item.
CREATE TABLE answer AS
SELECT i.item_id, v.supplier_name, v.nation, p.supply_cost
FROM item_dim AS i
JOIN supplies AS p ON p.item_key = i.item_key
JOIN supplier_dim AS v ON v.supplier_key = p.supplier_key
WHERE i.size = 'large'
  AND p.supply_cost = (
      SELECT min(q.supply_cost)
      FROM supplies AS q JOIN supplier_dim AS w ON w.supplier_key = q.supplier_key
      WHERE q.item_key = i.item_key AND w.rating >= 2
  )
