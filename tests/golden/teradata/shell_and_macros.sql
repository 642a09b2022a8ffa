bteq << EOF > $1;
.RUN FILE $LOGONDIR/logon;
.IF ERRORCODE <> 0 THEN .QUIT ERRORCODE;
insert into &&LDR.types (id, name)
select h.id, s.name from &&STG.source s left join &&HLP.keys h on h.nat_key = trim(s.name);
.IF ERRORCODE <> 0 THEN CALL &&META.FAIL_STEP('x', (select id from sessions));
.QUIT ERRORCODE;
EOF
