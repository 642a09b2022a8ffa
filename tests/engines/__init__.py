"""Real engines as judges of the lineage: what a database does with a statement is held against what the analyser says.

``lab`` and ``judge``
    The experiment. Small tables in DuckDB, a statement, one base column changed, the statement once more: an output that
    differs was influenced by that column, and the lineage has to say so.
``grammar``
    Statements for the experiment, drawn at random from a grammar of our own, each with a number that gives it again.
``dependencies``
    PostgreSQL's own record of the columns that a view uses.
"""
