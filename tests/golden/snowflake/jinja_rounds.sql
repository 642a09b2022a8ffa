{% set source_table = 'orders' %}
{% set kinds = ['card', 'cash'] %}
create table totals as
select id,
{% for kind in kinds %}
  {% if loop.first %} max( {% else %} min( {% endif %} {{ kind }}_amount) as {{ kind }} {% if not loop.last %},{% endif %}
{% endfor %}
from {{ source_table }}
group by id;

create view everything as
{% for region in regions %}
{% if not loop.first %} union all {% endif %}
select id {% if loop.last %}, city {% endif %} from sales
{% endfor %};

create table copied as select {{ dbt_utils.star(from=ref('places')) }} from {{ ref('places') }};

{% call statement('first') %} insert into log_a select id from orders {% endcall %}
{% call statement('second') %} insert into log_b select id from orders {% endcall %}

{% materialization anything, default %} insert into hidden select id from nowhere {% endmaterialization %}
