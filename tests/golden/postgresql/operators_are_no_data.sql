create operator = (procedure = iseq, leftarg = isbn, rightarg = isbn, commutator = =, negator = <>, join = eqjoinsel);

create cast (isbn as text) with function isbn_text(isbn);
