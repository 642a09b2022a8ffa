SELECT p.FirstName
from Person.Person AS p
