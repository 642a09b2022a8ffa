insert into o (net, tax, gross)
select price * qty as net, net * 0.2 as tax, net + tax as gross
from lines
