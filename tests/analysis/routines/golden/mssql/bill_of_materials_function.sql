CREATE OR ALTER FUNCTION prod.tvf_exploded_bom (@product_id INT, @max_depth INT)
RETURNS @bom TABLE (
    component_id INT NOT NULL,
    depth INT NOT NULL,
    total_quantity DECIMAL(18, 4) NOT NULL,
    unit_cost MONEY NULL
)
WITH SCHEMABINDING
AS
BEGIN
    WITH parts (component_id, depth, quantity) AS (
        SELECT b.component_id, 1, b.quantity
        FROM prod.bill_of_materials AS b
        WHERE b.product_id = @product_id
        UNION ALL
        SELECT b.component_id, p.depth + 1, CAST(p.quantity * b.quantity AS DECIMAL(18, 4))
        FROM parts AS p
        INNER JOIN prod.bill_of_materials AS b ON b.product_id = p.component_id
        WHERE p.depth < @max_depth
    )
    INSERT INTO @bom (component_id, depth, total_quantity)
    SELECT component_id, MIN(depth), SUM(quantity)
    FROM parts
    GROUP BY component_id;

    UPDATE b
    SET b.unit_cost = c.standard_cost
    FROM @bom AS b
    CROSS APPLY (
        SELECT TOP (1) h.standard_cost
        FROM prod.cost_history AS h
        WHERE h.product_id = b.component_id
        ORDER BY h.valid_from DESC
    ) AS c;

    RETURN;
END;
GO
