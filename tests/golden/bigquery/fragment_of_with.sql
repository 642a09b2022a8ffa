-- A template of a common table expression, which stands in no statement here.
baseline_{{ namespace }} AS (
  SELECT client_id, country FROM {{ namespace }}.baseline WHERE day = @day
),
