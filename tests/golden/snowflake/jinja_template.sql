{{ config(materialized='table') }}
{% set methods = ['card', 'cash'] %}
CREATE TABLE payments AS
SELECT
  id,
  {% for m in methods %}
  SUM(CASE WHEN method = '{{ m }}' THEN {{ m }}_value END) AS {{ m }}_amount{% if not loop.last %},{% endif %}
  {% endfor %}
FROM {% if target.name == 'prod' %} {{ source('raw', 'payments') }} {% else %} {{ ref('sample') }} {% endif %}
GROUP BY id;
INSERT INTO {{ var('schema') }}.o (a) SELECT {{ my_macro('x') }} AS a FROM {{ ref('t') }};
