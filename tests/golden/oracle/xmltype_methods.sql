insert into o (a, b, c)
select xmltype(t.doc).getclobval(), t.x.extract('/a/text()').getstringval(), t.x.getrootelement()
from t where t.x.existsnode('/a') = 1
