"""Every class of the syntax tree, sorted by what it means for lineage.

The readers dispatch on `KIND`, one dictionary look-up a node. Classes that come in families (functions, operators,
properties) are sorted by their base class, all others are listed by name, so that a class which a new sqlglot
brings is noticed: a test fails until it stands in one of these lists.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from typing import Any, Final

from sqlglot import exp

BASE: Final[Any] = getattr(exp, "Expr", exp.Expression)
"""The root class of all nodes; its name differs between sqlglot versions."""


class NodeKind(IntEnum):
    """How a node is read where a value stands."""

    GENERIC = 0
    """Its children are read in its place."""
    COLUMN = 1
    LEAF = 2
    """Carries no column: literals, types, names."""
    BINARY = 3
    FUNCTION = 4
    AGGREGATE = 5
    WINDOW = 6
    CASE = 7
    QUERY = 8
    EXISTS = 9
    IN = 10
    LAMBDA = 11
    VARIABLE = 12
    DOT = 13
    STAR = 14
    IDENTIFIER = 15
    FILTER = 16
    CAST = 17
    BRACKET = 18
    COLUMNS = 20
    """COLUMNS(…): columns selected by a pattern."""
    CLAUSE = 19
    """Parts of queries and statements that their own readers handle; nothing to read where a value stands."""


_NAMED: dict[NodeKind, str] = {
    NodeKind.COLUMN: "Column Pseudocolumn",
    NodeKind.LEAF: """
        Literal Boolean Null DataType DataTypeParam Var BitString HexString ByteString RawString UnicodeString National
        Heredoc Introducer PseudoType ObjectIdentifier TimeUnit _TimeUnit IntervalSpan JSONPath JSONPathFilter
        JSONPathKey JSONPathPart JSONPathRecursive JSONPathRoot JSONPathScript JSONPathSelector JSONPathSlice
        JSONPathSubscript JSONPathUnion JSONPathWildcard JSONExtractQuote OverflowTruncateBehavior WindowSpec
        CharacterSet Semicolon Hint JoinHint IndexTableHint WithTableHint Tag OpenJSONColumnDef JSONColumnDef
        JSONSchema SkipJSONColumn ColumnPrefix XMLNamespace PivotAny Opclass QueryOption FormatPhrase
        DirectoryStage OnCondition CommentColumnConstraint TranslateCharacters EndStatement WeekStart
    """,
    NodeKind.GENERIC: """
        Alias Aliases All Any AtIndex AtTimeZone FromTimeZone Between Condition Distinct Final ForIn
        FormatJson HavingMax IgnoreNulls RespectNulls Interval IntervalOp JSON JSONKeyValue Limit
        LimitOptions Order Ordered PivotAlias Predicate Prior ScopeResolution Slice Tuple Variadic WithOperator
        XMLKeyValueOption WithFill Cube Rollup GroupingSets Group Where Having Qualify Connect
        Fetch Offset Cluster Distribute Sort PreWhere ModelAttribute UnpivotColumns TableColumn SubqueryPredicate
        MatchRecognizeMeasure Expression Nearest
    """,
    NodeKind.WINDOW: "Window",
    NodeKind.QUERY: "Select Union Except Intersect Subquery SetOperation Query Selectable UDTF DerivedTable Values Table",
    NodeKind.IN: "In",
    NodeKind.LAMBDA: "Lambda Comprehension",
    NodeKind.VARIABLE: "Parameter Placeholder PositionalColumn SessionParameter",
    NodeKind.STAR: "Star",
    NodeKind.IDENTIFIER: "Identifier",
    NodeKind.BRACKET: "Bracket StructExtract JSONValue",
    NodeKind.CLAUSE: """
        AddConstraint AddPartition AllowedValuesProperty Alter AlterColumn AlterDistStyle AlterIndex
        AlterModifySqlSecurity AlterRename AlterSession AlterSet AlterSortKey Analyze AnalyzeColumns AnalyzeDelete
        AnalyzeHistogram AnalyzeListChainedRows AnalyzeSample AnalyzeStatistics AnalyzeValidate AnalyzeWith
        AssumeColumnConstraint Attach AttachOption AutoIncrementColumnConstraint BinaryColumnConstraint Block CTE Cache
        CaseSpecificColumnConstraint CaseStatement Changes CharacterSetColumnConstraint Check CheckColumnConstraint
        Clone ClusteredColumnConstraint CollateColumnConstraint ColumnConstraint ColumnConstraintKind ColumnDef
        ColumnPosition Command Comment Commit CompressColumnConstraint ComputedColumnConstraint ConditionalInsert
        ConnectTo Constraint Copy CopyParameter Create Credentials DDL DML DateFormatColumnConstraint Declare
        DeclareItem DefaultColumnConstraint Delete Describe Detach Directory Disconnect Drop DropPartition
        DropPrimaryKey EncodeColumnConstraint EphemeralColumnConstraint ExcludeColumnConstraint Execute ExecuteSql
        Export ForClause ForeignKey From FunctionSpecification GeneratedAsIdentityColumnConstraint
        GeneratedAsRowColumnConstraint Get Grant GrantPrincipal GrantPrivilege HistoricalData IfBlock
        InOutColumnConstraint Index IndexColumnConstraint IndexConstraintOption IndexParameters
        InlineLengthColumnConstraint InputOutputFormat Insert Install Into InvisibleColumnConstraint Iterate Join Kill
        Lateral Leave ListStage LoadData Lock LockingStatement LoopBlock MacroOverload MacroOverloads
        MaskingPolicyColumnConstraint MatchRecognize Merge MergeTreeTTL MergeTreeTTLAction ModifyColumn
        MultitableInserts NonClusteredColumnConstraint NotForReplicationColumnConstraint NotNullColumnConstraint
        OnConflict OnUpdateColumnConstraint Partition PartitionBoundSpec PartitionByExcluding
        PartitionByRangePropertyDynamic PartitionId PartitionList PartitionRange PathColumnConstraint Per
        PeriodForSystemTimeConstraint Pivot Pragma PrimaryKey PrimaryKeyColumnConstraint ProjectionDef
        ProjectionPolicyColumnConstraint Properties Put QueryBand QueryTransform RecursiveWithSearch Reference
        Refresh RenameColumn RenameIndex RepeatBlock ReplaceColumns ReplacePartition Return Returning Revoke Rollback
        RollupIndex Schema SemanticView SequenceProperties Set SetItem Show StoredProcedure Stream Summarize SwapTable
        TableAlias TableFromRows TableSample TimeseriesKey TitleColumnConstraint Transaction TriggerEvent
        TriggerExecute TriggerProperties TriggerReferencing TruncateTable Uncache Undrop UniqueColumnConstraint Update
        UppercaseColumnConstraint Use UserDefinedFunction UsingData Version WatermarkColumnConstraint When Whens
        WhileBlock With ZeroFillColumnConstraint
    """,
}

_SPECIAL: dict[str, NodeKind] = {
    "Exists": NodeKind.EXISTS,
    "Case": NodeKind.CASE,
    "Columns": NodeKind.COLUMNS,
    "If": NodeKind.CASE,
    "Cast": NodeKind.CAST,
    "TryCast": NodeKind.CAST,
    "JSONCast": NodeKind.CAST,
    "Dot": NodeKind.DOT,
    "Unnest": NodeKind.FUNCTION,
    "Explode": NodeKind.FUNCTION,
    "ExplodeOuter": NodeKind.FUNCTION,
    "Collate": NodeKind.GENERIC,
    "JSONExtract": NodeKind.BRACKET,
    "JSONExtractScalar": NodeKind.BRACKET,
    "JSONBExtract": NodeKind.BRACKET,
    "JSONBExtractScalar": NodeKind.BRACKET,
    "Filter": NodeKind.FILTER,
    "WithinGroup": NodeKind.FILTER,
    "Paren": NodeKind.GENERIC,
    "Neg": NodeKind.GENERIC,
    "Alias": NodeKind.GENERIC,
    "Array": NodeKind.GENERIC,
    "Struct": NodeKind.GENERIC,
    "Corr": NodeKind.AGGREGATE,
}
"""Members of a family that are read in their own way."""

AGGREGATE_NAMES: Final = frozenset(
    """
    any bit_and bit_or bit_xor bool_and bool_or checksum collect_list collect_set every geometric_mean group_concat
    histogram json_agg json_arrayagg json_object_agg json_objectagg jsonb_agg jsonb_object_agg list listagg map_agg
    map_union max_by median min_by mode multimap_agg numeric_histogram percentile percentile_approx product
    set_agg string_agg sys_xmlagg uniq uniqexact unique wm_concat xmlagg
    """.split()
)
"""Aggregates that the grammar of some dialect leaves as unknown functions."""

_NAMES: dict[str, NodeKind] = {name: kind for kind, names in _NAMED.items() for name in names.split()} | _SPECIAL


def all_node_classes() -> Iterator[type]:
    """Every class of the installed sqlglot's tree."""
    seen: set[type] = set()
    waiting: list[type] = [BASE]
    while waiting:
        found: type
        for found in waiting.pop().__subclasses__():
            if found not in seen:
                seen.add(found)
                waiting.append(found)
                yield found


def _family(node_class: type) -> NodeKind | None:
    if issubclass(node_class, exp.AggFunc):
        return NodeKind.AGGREGATE
    if issubclass(node_class, exp.Binary):
        return NodeKind.BINARY
    if issubclass(node_class, exp.Func):
        return NodeKind.FUNCTION
    if issubclass(node_class, exp.Unary):
        return NodeKind.GENERIC
    if issubclass(node_class, exp.Property):
        return NodeKind.CLAUSE
    return None


def unlisted() -> list[str]:
    """Names of the classes that are in no list and no family: there must be none."""
    return sorted(
        found.__name__
        for found in all_node_classes()
        if found.__module__.startswith("sqlglot.") and found.__name__ not in _NAMES and _family(found) is None
    )


def _sort_classes() -> dict[type, NodeKind]:
    kinds: dict[type, NodeKind] = {}
    for found in all_node_classes():
        kind = _NAMES.get(found.__name__)
        if kind is None:
            kind = _family(found)
        kinds[found] = NodeKind.GENERIC if kind is None else kind
    return kinds


KIND: Final[dict[type, NodeKind]] = _sort_classes()

_LEAF = NodeKind.LEAF


def children(node: Any) -> list[Any]:
    """The nodes directly below a node."""
    found = []
    for child in node.args.values():
        if child.__class__ is list:
            found += [entry for entry in child if isinstance(entry, BASE)]
        elif isinstance(child, BASE):
            found.append(child)
    return found


def borrowing(kind: type, /, **parts: Any) -> Any:
    """A node of parts that stay where they are in their own tree: nothing is copied, and no tree is changed."""
    node = kind()
    node.args.update(parts)
    return node


def everything_from(source: Any) -> Any:
    """``SELECT * FROM source``."""
    return borrowing(exp.Select, expressions=[exp.Star()], from_=borrowing(exp.From, this=source))


def readable(node: Any) -> list[Any]:
    """The nodes directly below a node that may carry a column, the last one first: as a stack takes them."""
    found = []
    kinds = KIND
    leaf = _LEAF
    for child in node.args.values():
        if child.__class__ is list:
            # What is no node at all (a word, nothing) is as good as a leaf.
            found += [entry for entry in child if kinds.get(entry.__class__, leaf) is not leaf]
        elif kinds.get(child.__class__, leaf) is not leaf:
            found.append(child)
    found.reverse()
    return found


def without_collation(node: Any) -> Any:
    """``a COLLATE Latin1_General_CI_AS``: how a value is compared, which is the same value."""
    return node.args["this"] if node.__class__ is exp.Collate else node
