WITH changed AS (
  UPDATE prices SET amount = amount * 2
  RETURNING WITH (OLD AS o, NEW AS n) o.amount AS was, n.amount AS now_is, n.item
)
INSERT INTO history (item, was, now_is) SELECT item, was, now_is FROM changed;
