"""Statements that are known to move no data: they are skipped silently, whether or not the grammar knows them.

They are listed by their verb or by the kind of object that they are about. A statement that is in no list and that nobody
understands is an error of the model: what is not known is never assumed to be harmless.
"""

from __future__ import annotations

from itertools import pairwise

from sqlglot.tokenizer_core import Token

from connector.sql.statement import Statement
from connector.sql.words import COMMANDS, STRINGS, TRANSACTION_WORDS, runs_into_another

HARMLESS_VERBS = frozenset(
    """
    ABORT ACTIVATE ADD ADMIN ADMINISTER ADVISE ALLOCATE ANALYSE ANALYZE ARCHIVE ASSERT ASSOCIATE ATTACH AUDIT AUTOCONFIGURE
    BACKUP BIND BINLOG BREAK BT BUILD CALL CANCEL CATALOG CHANGE CHECK CHECKPOINT CHECKSUM CLEAR CLONE CLOSE CLUSTER
    COLLECT COMMENT COMMIT COMPILE COMPUTE CONFIGURE CONNECT CONTINUE DATABASE DBCC DEACTIVATE DEALLOCATE DECLARE
    DATEFORM DELIMITER DENY DESC DESCRIBE DETACH DFS DIAGNOSTIC DISABLE DISASSOCIATE DISCARD DISCONNECT DO DROP DUMP ECHO
    ENABLE END ENFORCE ERRLIMIT ET EXEC EXECUTE EXISTS EXIT EXPLAIN FETCH FLASHBACK FLUSH FORCE FORMAT FREE FSCK GENERATE GET
    GIVE GO GOTO GRANT GROOM HANDLER HELP IMPERSONATE INFER INITIATE INSPECT INSTALL INVALIDATE ITERATE KILL LABEL
    LEAVE LET LIST LISTEN LOCK LOCKING LOGGING LOGOFF LOGON LOGOUT LS MODIFY MONITOR MOVE MSCK NOAUDIT NOTIFY OPEN
    OPTIMIZE PAUSE PRAGMA PRELOAD PREPARE PRINT PRUNE PURGE PUT QUIESCE QUIT RAISE RAISERROR READTEXT REASSIGN
    REBIND RECEIVE RECLAIM RECOMPRESS RECONFIGURE RECOVER REDISTRIBUTE REFRESH REINDEX RELEASE RELOAD REMOVE REORG
    REORGANIZE REORGCHK REPACK REPAIR REPL RESET RESIGNAL RESTART RESTORE RESUME RETRIEVE RETURN REVALIDATE REVERT REVOKE RM ROLLBACK
    RUN RUNSTATS SAVE SAVEPOINT SECURITY SEND SESSIONS SET SETUSER SHOW SHUTDOWN SIGNAL SOURCE SS START STOP SUSPEND
    SWITCH SYNC SYSTEM TERMINATE THROW TRANSFER TRUNCATE UNCACHE UNCATALOG UNDROP UNINSTALL UNLISTEN UNLOCK UNQUIESCE UNSET UPGRADE
    USE VACUUM VALIDATE WAITFOR WARM WATCH WHENEVER XA
    """.split()
)
_DATA_OBJECTS = frozenset(
    """
    TABLE VIEW PROCEDURE PROC FUNCTION TRIGGER PACKAGE MACRO STAGE STREAM TASK PIPE SYNONYM ALIAS NICKNAME FLOW RULE EVENT
    MODEL MACRO ALERT SCRIPT DICTIONARY SNAPSHOT
    """.split()
)
_OTHER_OBJECTS = frozenset(
    """
    ACCESS ACCOUNT AGENT AGGREGATE ALLOCATION ANALYTIC APPLICATION ARCHIVE ASSEMBLY ASSERTION ASSIGNMENT ASYMMETRIC ATTRIBUTE
    AUDIT AUTHORIZATION AVAILABILITY BACKUP BINDING BITMAP BLOOMFILTER BI_CAPACITY BRANCH BROKER BUDGET BUFFERPOOL CAPACITY CAST
    CATALOG CERTIFICATE CLASS CLASSIFIER CLUSTER CLUSTERED COLLATION COLUMNSTORE COMPUTE CONFIGURATION CONNECTION
    CONSTRAINT CONSUMER CONTACT CONTEXT CONTRACT CONTROLFILE CONVERSION CREDENTIAL CRYPTOGRAPHIC DATABASE DATASET DATASHARE
    DEFAULT DELEGATION DIMENSION DIRECTORY DISKGROUP DOMAIN EDITION ENCODING ENDPOINT ENV EXTENSIBLE EXTENSION
    FAILOVER FAMILY FAULT FEDERATION FILE FILESTORE FILTER FIREWALL FORMAT FULLTEXT GATEWAY GEOMETRY GIT GOVERNOR GROUP HASH
    HIERARCHY HISTOGRAM HISTOGRAMS IMAGE INDEX INDEXTYPE INMEMORY INSTANCE INTEGRATION JAVA JOIN KEY KEYSPACE LABEL
    LANGUAGE LIBRARY LISTING LOCATION LOCKDOWN LOGFILE LOGIN LOGLEVEL MAPPING MASK MASKING MASTER MEMBERSHIP MESSAGE
    METHOD MINING MODULE MONITOR NAMED NAMESPACE NETWORK NODE NONCLUSTERED NOTEBOOK NOTIFICATION NOTIFIER OBJECT OPERATOR
    ORGANIZATION OUTLINE PARAMETER PARAMETERS PARSER PARTITION PERMISSION PFILE PLAN PLUGGABLE POINT POLICY POOL POOLS
    PRIORITY PROFILE PROJECT PROPERTY PROVIDER PUBLICATION QUEUE QUEUES QUOTA RECIPIENT REMOTE REPLICATION
    REPOSITORY RESERVATION RESOURCE RESTORE RESTRICTION ROLE ROLLBACK ROUTE ROUTINE ROW SAVEPOINT SCHEDULE SCHEMA
    SEARCH SECRET SECURITY SEQUENCE SERVER SERVICE SESSION SETTINGS SHARE SIGNATURE SPATIAL SPECIFICATION SPFILE
    STATISTIC STATISTICS STATS STOGROUP STOPLIST STORAGE STREAMLIT SUBCLUSTER SUBNET SUBPARTITION SUBSCRIPTION SYMMETRIC SYSTEM
    TABLESPACE TAG TEMPLATE TEXT THRESHOLD TRACE TRANSFORM TRANSLATION TRUST TRUSTED TYPE UNIQUE USAGE USER VARIABLE VECTOR VOLUME
    WAREHOUSE
    WORKLOAD WORKSPACE WRAPPER XML ZONE ZONEMAP
    """.split()
)
"""Objects that hold no rows and run no statement, whatever stands in their definitions."""
_PLAIN_OBJECTS = frozenset(
    "OPERATOR CAST AGGREGATE CONVERSION TRANSFORM LANGUAGE DOMAIN COLLATION PUBLICATION SUBSCRIPTION POLICY STATISTICS".split()
)
"""Objects whose definitions name functions and tables, and neither read nor write any."""
_PAIRS = (
    ["EXTERNAL", "DATA"],
    ["ANALYTIC", "FUNCTION"],
    ["EVENT", "SESSION"],
    ["EVENT", "NOTIFICATION"],
    ["SNAPSHOT", "SET"],
    ["SNAPSHOT", "POLICY"],
    ["NETWORK", "RULE"],
    ["ROUTING", "RULE"],
    ["AUDIT", "POLICY"],
    ["ALIAS", "FUNCTION"],
    ["GRAPH", "WORKSPACE"],
    ["FUNCTION", "MAPPING"],
    ["DIRECTED", "QUERY"],
    ["ANALYTIC", "VIEW"],
)
"""Objects of two words, of which one alone would be an object with data."""
_TABLES = frozenset({"TABLE", "VIEW", "SNAPSHOT"})
_MOVING_TABLES = frozenset(
    {"RENAME", "SWAP", "EXCHANGE", "SWITCH", "REPLACE", "AS", "CLONE", "SELECT", "ATTACH", "MOVE"}
)
_MOVING_ROUTINES = frozenset({"AS", "SELECT", "INSERT", "UPDATE", "DELETE", "MERGE"})
"""Words in an ALTER of a table, or of what runs statements, that move rows or bring other statements."""
_QUERY_WORDS = frozenset({"SELECT", "INSERT", "UPDATE", "DELETE", "MERGE"})

_STATEMENTS = _QUERY_WORDS | {"CREATE", "LOAD"}
_DATA_WORDS = (
    _QUERY_WORDS | _MOVING_TABLES | set("FROM INTO LIKE COPY TABLE VIEW TO ON USING CALL EXECUTE EXEC LOAD".split())
)
"""Words without which a definition names neither rows nor a statement that it runs."""
_SETTINGS = frozenset("CFG CONFIGURATION OPTIONS SWITCHES HISTORY PARAMETERS".split())
"""What Db2's command line updates."""
_LOADED = frozenset("DATA FROM INTO TO LABEL LOCAL TABLE SELECT XML".split())
"""Words of a LOAD or UNLOAD that moves rows."""
_SCRIPT_CALLS = _QUERY_WORDS | {"QUERY", "PQUERY"}
"""Words in a script of Lua that run a statement."""


def moves_no_data(statement: Statement) -> bool:
    """Whether the statement is of a kind that neither reads nor writes rows."""
    tokens = statement.tokens
    if not tokens:
        return True
    if tokens[0].text.upper() in _QUERY_WORDS:
        return len(tokens) > 1 and _changes_no_rows(tokens)
    if tokens[0].text.upper().startswith("UPDATE "):
        return True
    # sqlglot reads some pairs of words as one token.
    words = [word for token in tokens[:12] for word in token.text.upper().split()]
    if not words:
        return True
    verb = words[0]
    following = words[1] if len(words) > 1 else ""
    if (len(tokens) == 1 or (len(tokens) == 2 and following == ":")) and verb not in _QUERY_WORDS:
        return True
    if verb == "BEGIN":
        return following in TRANSACTION_WORDS and not runs_into_another(tokens)
    if verb == "RENAME":
        return following in _OTHER_OBJECTS or following in ("MACRO", "PROCEDURE", "FUNCTION", "TRIGGER")
    if verb == "REPLACE":
        # Teradata: REPLACE QUERY LOGGING
        return following == "QUERY"
    if verb == "VALUES":
        # Constants, for display.
        return not any(token.text.upper() in ("SELECT", "TABLE") for token in tokens)
    if verb in ("CACHE", "LOAD", "UNLOAD"):
        # An index, a library or an extension; HANA: columns of a table, into the memory and out of it.
        return following == "INDEX" or (
            verb != "CACHE"
            and not any(token.text.upper() in _LOADED or token.token_type in STRINGS for token in tokens[2:])
        )
    if verb == "IMPORT":
        # PostgreSQL: foreign tables, as another server describes them. HANA: what an export holds. Exasol: rows for display.
        return following in ("FOREIGN", "SCAN") or words[1:3] == ["INTO", "("]
    if verb == "EXPORT":
        # BigQuery: EXPORT TABLE METADATA FROM t
        return words[1:3] == ["TABLE", "METADATA"]
    if verb == "CONVERT":
        return following == "TO"
    if verb == "COPY":
        # Redshift: a job that was defined elsewhere.
        return following == "JOB"
    if verb == "CONSTRAINT":
        return "EXPECT" in words
    if verb == "LOCKING":
        return not any(word in _QUERY_WORDS for word in (token.text.upper() for token in tokens))
    if verb in ("CREATE", "DEFINE"):
        return (
            following in _PLAIN_OBJECTS
            or "JAVA" in words[1:6]
            or (following == "RULE" and not _has_word(tokens, "DO"))
            or _is_other(words[1:10], 4)
            or _is_plainly_other(statement, words)
            or _is_foreign_script(statement, words)
            or _is_trained_elsewhere(statement, words)
        )
    if verb == "ALTER":
        if following == "DEFINER":
            # MySQL: the owner of an event, unless it gets a statement to run; a view has a reader of its own.
            return not any(token.text.upper() in ("DO", "VIEW") for token in tokens)
        if _is_other(words[1:4], 3) or following in ("SOURCE", "SINK", "PDS", "VDS", "PROJECTION"):
            return True
        moving = _MOVING_TABLES if any(word in _TABLES for word in words[1:4]) else _MOVING_ROUTINES
        if runs_into_another(tokens):
            return False
        return any(word in _DATA_OBJECTS for word in words[1:4]) and not any(
            token.text.upper() in moving and before.text.upper() not in ("EXECUTE", "EXEC", "FUNCTION", "PROCEDURE")
            for before, token in pairwise(tokens)
        )
    return verb in HARMLESS_VERBS and not (verb in COMMANDS and runs_into_another(tokens))


def _has_word(tokens: list[Token], word: str) -> bool:
    return any(token.text.upper() == word for token in tokens)


def _is_plainly_other(statement: Statement, words: list[str]) -> bool:
    """``CREATE TYPE t AS TABLE OF …``: the kind comes before the name, and nothing after that is a query."""
    kind = 3 if words[1:3] in (["OR", "REPLACE"], ["OR", "ALTER"]) else 1
    if len(words) < kind + 2 or words[kind] not in _OTHER_OBJECTS or words[kind + 1] in _DATA_OBJECTS:
        return False
    return not any(token.text.upper() in _STATEMENTS for token in statement.tokens[1:])


def _changes_no_rows(tokens: list[Token]) -> bool:
    """``UPDATE [ALL | INDEX] STATISTICS``, of Db2's command line ``UPDATE DB CFG`` or ``UPDATE COMMAND OPTIONS``, HANA's
    ``MERGE DELTA OF t``, and ``MERGE BRANCH`` of Dremio, which brings versions of a whole catalog together."""
    words = [token.text.upper() for token in tokens[:5]]
    if words[0] == "MERGE":
        return (words[1] == "DELTA" and words[2:3] == ["OF"]) or (
            words[1] == "BRANCH" and not _has_word(tokens, "USING")
        )
    if words[0] != "UPDATE":
        return False
    return (
        words[1] == "STATISTICS"
        or (words[1] in ("ALL", "INDEX", "TABLE") and words[2:3] == ["STATISTICS"])
        or ("SET" not in words and any(word in _SETTINGS for word in words[2:4]))
    )


def names_no_data(statement: Statement) -> bool:
    """Whether the definition of an unknown object has no word by which it could read, write or run anything."""
    return statement.tokens[0].text.upper() == "CREATE" and not any(
        word in _DATA_WORDS for token in statement.tokens for word in token.text.upper().split()
    )


def _is_trained_elsewhere(statement: Statement, words: list[str]) -> bool:
    """Redshift: ``CREATE MODEL m FROM 'job' FUNCTION …``, or without FROM: what the model learned from is not here."""
    if "MODEL" not in words[1:4] or any(token.text.upper() in _QUERY_WORDS for token in statement.tokens):
        return False
    return all(
        following.token_type in STRINGS
        for token, following in pairwise(statement.tokens)
        if token.text.upper() == "FROM"
    )


def _is_foreign_script(statement: Statement, words: list[str]) -> bool:
    """Exasol: ``CREATE PYTHON SCALAR SCRIPT``, a function in another language. Scripts of Lua may run statements too."""
    if "SCRIPT" not in words[1:6]:
        return False
    if any(word in ("SCALAR", "SET", "ADAPTER") for word in words[1:6]):
        return True
    return not any(token.text.upper() in _SCRIPT_CALLS for token in statement.tokens)


def _is_other(words: list[str], named: int) -> bool:
    """Whether a definition is about something that is no table, view or routine; its kind is among the first words."""
    if words[:1] == ["PARTITION"]:
        return True
    if words[:2] in _PAIRS or words[2:4] in _PAIRS:
        # As it is, or after OR REPLACE.
        return True
    if "VIEW" in words and words[words.index("VIEW") + 1 :][:1] == ["LOG"]:
        return True
    return not any(word in _DATA_OBJECTS for word in words) and any(word in _OTHER_OBJECTS for word in words[:named])
