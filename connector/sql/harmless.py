"""Statements that move no data: they are passed over without a word, whether or not the grammar knows them."""

from __future__ import annotations

from connector.sql.statement import Statement
from connector.sql.words import TRANSACTION_WORDS

__all__ = ["moves_no_data"]

_VERBS = frozenset(
    """
    ABORT ADD ADMIN ASSERT ANALYSE ANALYZE ATTACH AUDIT BACKUP BT CALL CANCEL CHECK CHECKPOINT CHECKSUM CLOSE CLUSTER COLLECT COMMENT
    COMMIT COMPUTE CONNECT CONTINUE BREAK DATABASE DBCC DEALLOCATE DECLARE DELIMITER DENY DESC DESCRIBE DETACH DFS
    DIAGNOSTIC    DISABLE DISASSOCIATE DISCARD DISCONNECT DO DROP ENABLE END ET EXEC EXECUTE EXIT EXPLAIN EXPORT FETCH FLUSH FORMAT GENERATE GET
    GO GOTO GRANT HANDLER HELP IMPORT INSTALL INVALIDATE KILL LEAVE LET LIST LISTEN LOCK LOCKING LS MONITOR MOVE MSCK NOAUDIT NOTIFY OPEN
    OPTIMIZE PAUSE PRAGMA PREPARE PRINT PURGE PUT QUIT RAISE RAISERROR REASSIGN RECONFIGURE RECOVER REFRESH REINDEX RELEASE RELOAD REMOVE REORG
    REPAIR RESET RESIGNAL RESTORE RESUME RETURN REVERT REVOKE RM ROLLBACK RUN RUNSTATS SAVE SAVEPOINT SECURITY SET SHOW SIGNAL
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
_MOVING_ALTERATIONS = frozenset(
    {"RENAME", "SWAP", "EXCHANGE", "SWITCH", "REPLACE", "AS", "CLONE", "SELECT", "ATTACH", "MOVE"}
)
_QUERY_WORDS = frozenset({"SELECT", "INSERT", "UPDATE", "DELETE", "MERGE"})


def moves_no_data(statement: Statement) -> bool:
    """Whether the statement is of a kind that neither reads nor writes rows that anybody follows."""
    tokens = statement.tokens
    if not tokens:
        return True
    if tokens[0].text.upper() in _QUERY_WORDS:
        return False
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
        return not any(word in _DATA_OBJECTS for word in words[1:10])
    if verb == "ALTER":
        if not any(word in _DATA_OBJECTS for word in words[1:4]):
            return True
        return not any(token.text.upper() in _MOVING_ALTERATIONS for token in tokens)
    return verb in _VERBS
