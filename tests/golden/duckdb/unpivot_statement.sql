-- metadata: {"p": ["k", "q1", "q2"]}
create table o as
unpivot p on q1, q2 into name quarter value amount;

create table p2 as
unpivot p on columns(* exclude (k)) into name quarter value amount;

create table p3 as
select k from p unpivot (amount for quarter in (q1, q2));

create table p4 as
select k from p unpivot include nulls (amount for quarter in (q1, q2));
