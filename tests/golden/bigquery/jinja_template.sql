INSERT INTO {{ this }} (a)
SELECT {% if x %} b {% else %} c {% endif %} FROM {{ ref('t') }}
{% if is_incremental() %} WHERE day > (SELECT MAX(day) FROM {{ this }}) {% endif %};
