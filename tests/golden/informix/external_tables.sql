create external table emp_ext (name char(18)) using (format 'DELIMITED', datafiles ('DISK:/tmp/emp.dat'));

select fname from customer into external names using (datafiles ('DISK:/tmp/names.dat'));
