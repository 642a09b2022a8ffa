"""Statements that move no data: they are passed over without a word, whether or not the grammar knows them.

What is passed over is recognised, never assumed: by its verb, by the kind of object it is about, or because it holds no
word that could bring a table with it.
"""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from connector.sql.recovery.vocabulary import misspelled
from connector.sql.statement import Statement
from connector.sql.words import STRINGS, TRANSACTION_WORDS

__all__ = ["may_move_data", "moves_no_data"]

_VERBS = frozenset(
    """
    ABORT ADD ADMIN ASSERT ANALYSE ANALYZE ATTACH AUDIT BACKUP BT CALL CANCEL CHECK CHECKPOINT CHECKSUM CLOSE CLUSTER COLLECT COMMENT
    COMMIT COMPUTE CONNECT CONTINUE BREAK DATABASE DBCC DEALLOCATE DECLARE DELIMITER DENY DESC DESCRIBE DETACH DFS
    DIAGNOSTIC    DISABLE DISASSOCIATE DISCARD DISCONNECT DO DROP ENABLE END ET EXEC EXECUTE EXIT EXPLAIN EXPORT FETCH FLUSH FORMAT GENERATE GET
    GO GOTO GRANT HANDLER HELP IMPORT INSTALL INVALIDATE KILL LEAVE LET LIST LISTEN LOCK LOCKING LS MONITOR MOVE MSCK NOAUDIT NOTIFY OPEN
    OPTIMIZE PAUSE PRAGMA PREPARE PRINT PURGE PUT QUIT RAISE RAISERROR REASSIGN RECEIVE RECONFIGURE RECOVER REFRESH REINDEX RELEASE RELOAD REMOVE REORG
    REPAIR RESET RESIGNAL RESTORE RESUME RETURN REVERT REVOKE RM ROLLBACK RUN RUNSTATS SAVE SAVEPOINT SECURITY SEND SET SHOW SIGNAL
    SHUTDOWN SOURCE SS START STOP SUSPEND SYNC SYSTEM TERMINATE THROW TRUNCATE UNCACHE UNDROP UNINSTALL UNLISTEN UNLOCK
    UNSET USE VACUUM WAITFOR WHENEVER XA
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
    INDEX SCHEMA DATABASE USER ROLE GROUP SEQUENCE TYPE DOMAIN EXTENSION POLICY SERVER TABLESPACE COLLATION CONVERSION OPERATOR CAST
    AGGREGATE LANGUAGE PUBLICATION SUBSCRIPTION STATISTICS ACCESS TRANSFORM TEXT LOGIN CERTIFICATE KEY CREDENTIAL ENDPOINT ASSEMBLY
    QUEUE SERVICE CONTRACT MESSAGE XML DEFAULT FULLTEXT SPATIAL SYMMETRIC ASYMMETRIC MASTER COLUMNSTORE WAREHOUSE INTEGRATION
    STORAGE FILE NETWORK RESOURCE TAG MASKING SHARE CONNECTION ACCOUNT COMPUTE CATALOG LOCATION PROFILE DIRECTORY LIBRARY CONTEXT
    OUTLINE EDITION CLUSTER CONTROLFILE PFILE SPFILE RESTORE INDEXTYPE JAVA PLUGGABLE BITMAP UNIQUE CLUSTERED NONCLUSTERED BRANCH
    VOLUME REPOSITORY SECRET RESERVATION CAPACITY ASSIGNMENT SEARCH VECTOR WORKLOAD QUOTA HASH JOIN AUTHORIZATION VARIABLE BUFFERPOOL
    MASK PERMISSION SECURITY ROW SESSION SYSTEM APPLICATION RECIPIENT PROVIDER CONSTRAINT ANALYTIC
    """.split()
)
"""Objects that hold no rows and run no statement, whatever stands in their definitions."""
_DATA_WORDS = frozenset(
    {
        TokenType.SELECT,
        TokenType.FROM,
        TokenType.INSERT,
        TokenType.UPDATE,
        TokenType.DELETE,
        TokenType.MERGE,
        TokenType.INTO,
    }
)
_MOVING_ALTERATIONS = frozenset(
    {"RENAME", "SWAP", "EXCHANGE", "SWITCH", "REPLACE", "AS", "CLONE", "SELECT", "ATTACH", "MOVE"}
)
_QUERY_WORDS = frozenset({"SELECT", "INSERT", "UPDATE", "DELETE", "MERGE"})


def may_move_data(statement: Statement) -> bool:
    """Whether a statement that nobody understands holds a word that brings tables with it, or one that was to be such."""
    tokens = statement.tokens
    for token, following in zip(tokens, [*tokens[1:], None], strict=True):
        if token.token_type in _DATA_WORDS and (following is None or following.token_type not in STRINGS):
            return True
    return any(misspelled(token.text) is not None for token in tokens[:3])


def moves_no_data(statement: Statement) -> bool:
    """Whether the statement is of a kind that neither reads nor writes rows that anybody follows."""
    tokens = statement.tokens
    if not tokens:
        return True
    if tokens[0].text.upper() in _QUERY_WORDS:
        return len(tokens) > 1 and tokens[0].text.upper() == "UPDATE" and tokens[1].text.upper() == "STATISTICS"
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
        return following in TRANSACTION_WORDS
    if verb == "CONVERT":
        return following == "TO"
    if verb == "CONSTRAINT":
        return "EXPECT" in words
    if verb == "LOCKING":
        return not any(word in _QUERY_WORDS for word in (token.text.upper() for token in tokens))
    if verb in ("CREATE", "DEFINE"):
        return not any(word in _DATA_OBJECTS for word in words[1:10]) and _is_other(statement, words)
    if verb == "ALTER":
        if not any(word in _DATA_OBJECTS for word in words[1:4]):
            return _is_other(statement, words)
        return not any(token.text.upper() in _MOVING_ALTERATIONS for token in tokens)
    return verb in _VERBS


def _is_other(statement: Statement, words: list[str]) -> bool:
    """Whether a definition is about something that is no table, view or routine."""
    return any(word in _OTHER_OBJECTS for word in words[1:5]) or not may_move_data(statement)
