{{ header }}
{{ config(post_hook="{{ grant_to('reader') }}") }}
CREATE TABLE d.daily AS
WITH {{ pairs(attributes, "x") }}, base AS (
  SELECT id, d FROM `p.d.events`
), {{ fill_days(base) }}
SELECT b.id, s.day
FROM base b
JOIN {{ date_spine('day') }} s ON s.day = b.d;

{{ row_count(10) }}
{{ is_unique("id") }}
INSERT INTO d.log (id) SELECT id FROM d.daily;

{{ build_sql }}
