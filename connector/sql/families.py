"""Families of dialects: what all dialects that write routines in the same language have in common.

A trait says what a dialect does, so that no reader has to know who does it. A family that is not listed for a trait
does not have it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """The traits of one family."""

    name: str

    # --- where statements end -----------------------------------------------------------------------------------
    batches: bool = False
    """Statements come in batches that GO ends; inside a batch, the next statement ends the one before it."""
    slash_lines: bool = False
    """A slash on a line of its own ends a statement."""
    leaves_delimiters: bool = False
    """Scripts set a delimiter of their own, and leave it after routines."""
    executes_comments: bool = False
    """``/*!50001 … */`` is executed."""
    notebooks: bool = False
    """Scripts may be exported notebooks."""

    # --- blocks -------------------------------------------------------------------------------------------------
    declares_after_is: bool = False
    """Declarations and routines stand between IS and BEGIN, and BEGIN never starts a transaction."""
    declare_sections: bool = False
    """DECLARE opens a list of declarations that ends with BEGIN."""
    declares_before_begin: bool = False
    """Such a list may stand in any block, and its semicolons end no statement."""
    declare_may_open_block: bool = False
    """A DECLARE at the top of a script opens a block if a BEGIN follows."""
    handlers_in_scripts: bool = False
    """DECLARE … HANDLER may stand at the top of a script."""
    begin_is_transaction: bool = False
    """Outside a routine, BEGIN starts a transaction and nothing else."""
    angle_labels: bool = False
    """``<<label>>`` may open a statement."""
    control_in_scripts: bool = False
    """IF, LOOP and similar statements may be used outside of routines."""
    case_in_scripts: bool = False
    """So may CASE."""
    parenthesised_triggers: bool = False
    """The body of a trigger is a list of statements in parentheses."""
    begin_request: bool = False
    """``BEGIN REQUEST`` opens a block."""
    spl: bool = False
    """Routines are written in Informix's language: they end with ``END PROCEDURE``, and loops with words of their own."""
    implicit_tables: bool = False
    """A table that stands before a column is read even if FROM does not have it."""
    statement_macros: bool = False
    """The body of a macro is a list of statements in parentheses; elsewhere a macro is a function."""
    quotes_bodies: bool = False
    """Bodies of routines are strings."""
    oracle_routines: bool = False
    """Routines may also be written as in Oracle, if the server is set to that, and packages always are."""

    # --- variables ----------------------------------------------------------------------------------------------
    sets_variables: bool = False
    """SET may be about a variable outside routines."""
    set_declares: bool = False
    """``SET x = …`` makes the variable."""
    set_lists: bool = False
    """``SET VAR x = …`` and ``SET (a, b) = …`` are about variables."""
    selects_into_variables: bool = False
    """A SELECT outside routines may say INTO a variable."""
    assigns_with_equals: bool = False
    """``x = value`` is an assignment."""
    table_variables: bool = False
    """``t = SELECT …`` makes a table variable, which is read as ``:t``; ``a, b = f()`` assigns several."""
    colon_attributes: bool = False
    """``c::NOTFOUND`` asks for the state of a cursor."""
    signed_variables: bool = False
    """Where tables are read, a variable needs a sign before its name."""
    variables_win: bool = False
    """A name that is both a variable and a column is the variable."""
    getvariable: bool = False
    """``getvariable('x')`` is the variable x."""
    session_variables: bool = False
    """Variables with an ``@`` belong to the session and are known in every routine."""
    positional_parameters: bool = False
    """``$1`` is the first parameter."""
    unnamed_parameters: bool = False
    """A parameter may be a type without a name."""
    loops_need_records: bool = False
    """The record of a FOR loop is a variable that has to be declared."""
    loop_columns: bool = False
    """In a FOR loop the columns of its query are variables by their own names."""

    # --- tables and names ---------------------------------------------------------------------------------------
    use_names_database: bool = False
    """``USE x`` names a database, although databases have schemas."""
    database_links: bool = False
    """``t@link`` is a table of another database."""
    global_is_permanent: bool = False
    """A GLOBAL TEMPORARY table is defined once and for all; only its rows are temporary."""
    list_before_query: bool = False
    """CREATE TABLE t (a) AS query: the columns of the query come after those of the list."""
    conflict_reads_query: bool = False
    """ON DUPLICATE KEY UPDATE may read the tables of the query whose rows are inserted."""
    update_repeats_target: bool = False
    """The target of an UPDATE that stands in FROM again is the target itself."""
    packages: bool = False
    """``a.b`` may be a constant or a function of the package a."""
    column_methods: bool = False
    """Columns have methods and properties: ``doc.value('…')``, ``place.Lat``."""


_TABLE = (
    Family("ansi", declare_may_open_block=True, control_in_scripts=True, loop_columns=True),
    Family("bigquery", control_in_scripts=True, case_in_scripts=True, sets_variables=True, set_lists=True),
    Family(
        "databricks",
        notebooks=True,
        control_in_scripts=True,
        case_in_scripts=True,
        sets_variables=True,
        set_lists=True,
        loop_columns=True,
    ),
    Family(
        "db2",
        control_in_scripts=True,
        sets_variables=True,
        selects_into_variables=True,
        assigns_with_equals=True,
        loop_columns=True,
    ),
    Family(
        "informix",
        control_in_scripts=True,
        spl=True,
        sets_variables=True,
        selects_into_variables=True,
        assigns_with_equals=True,
        loop_columns=True,
    ),
    Family(
        "hana",
        control_in_scripts=True,
        assigns_with_equals=True,
        table_variables=True,
        colon_attributes=True,
        signed_variables=True,
    ),
    Family(
        "duckdb",
        declare_may_open_block=True,
        control_in_scripts=True,
        loop_columns=True,
        sets_variables=True,
        set_lists=True,
        signed_variables=True,
        getvariable=True,
    ),
    Family(
        "mysql",
        oracle_routines=True,
        leaves_delimiters=True,
        executes_comments=True,
        handlers_in_scripts=True,
        control_in_scripts=True,
        sets_variables=True,
        selects_into_variables=True,
        variables_win=True,
        session_variables=True,
        list_before_query=True,
        conflict_reads_query=True,
    ),
    Family(
        "plpgsql",
        declare_sections=True,
        begin_is_transaction=True,
        angle_labels=True,
        quotes_bodies=True,
        assigns_with_equals=True,
        positional_parameters=True,
        unnamed_parameters=True,
        loops_need_records=True,
    ),
    Family(
        "plsql",
        slash_lines=True,
        declares_after_is=True,
        declare_sections=True,
        declares_before_begin=True,
        angle_labels=True,
        database_links=True,
        global_is_permanent=True,
        packages=True,
    ),
    Family(
        "snowflake",
        declare_sections=True,
        declares_before_begin=True,
        declare_may_open_block=True,
        control_in_scripts=True,
        case_in_scripts=True,
        sets_variables=True,
        set_declares=True,
        set_lists=True,
        assigns_with_equals=True,
        signed_variables=True,
        getvariable=True,
        unnamed_parameters=True,
        use_names_database=True,
    ),
    Family(
        "teradata",
        parenthesised_triggers=True,
        implicit_tables=True,
        statement_macros=True,
        begin_request=True,
        sets_variables=True,
        selects_into_variables=True,
        loop_columns=True,
    ),
    Family(
        "tsql",
        batches=True,
        sets_variables=True,
        use_names_database=True,
        update_repeats_target=True,
        column_methods=True,
    ),
)

FAMILIES: dict[str, Family] = {family.name: family for family in _TABLE}
