"""Finds the position of a call for which the parser kept none: from the first word inside it outwards."""

from __future__ import annotations

from typing import Any

from sqlglot import exp
from sqlglot.tokenizer_core import TokenType

from connector.analysis.nodes import BASE, children
from connector.sql.tokens import TokenIndex

# Reading a member from an enumeration costs more than the rest of a step.
_CASE = TokenType.CASE
_END = TokenType.END
_L_PAREN = TokenType.L_PAREN
_R_PAREN = TokenType.R_PAREN


def call_around(index: TokenIndex, offset: int, depth: int) -> tuple[int, int] | None:
    """Start and end of the name of the call whose parenthesis is `depth` parentheses outside the offset."""
    tokens, kinds = index.tokens, index.kinds
    at = index.at(offset) - 1
    open_groups = 0
    while at >= 0:
        kind = kinds[at]
        if kind is _R_PAREN:
            open_groups += 1
        elif kind is _L_PAREN:
            if open_groups:
                open_groups -= 1
            else:
                depth -= 1
                if not depth:
                    if not at:
                        return None
                    name = tokens[at - 1]
                    text = name.text
                    return (name.start, name.end + 1) if text and (text[0].isalpha() or text[0] == "_") else None
        at -= 1
    return None


def case_around(index: TokenIndex, offset: int) -> tuple[int, int] | None:
    """Start and end of the word CASE that the offset is after."""
    tokens, kinds = index.tokens, index.kinds
    at = index.at(offset) - 1
    closed = 0
    while at >= 0:
        kind = kinds[at]
        if kind is _END:
            closed += 1
        elif kind is _CASE:
            if not closed:
                return tokens[at].start, tokens[at].end + 1
            closed -= 1
        at -= 1
    return None


def first_offset(node: Any) -> tuple[int, int]:
    """Offset of a word below a node, and how many parentheses lie between the two; (-1, 0) when there is none."""
    depth = 0
    while True:
        for child in node.args.values():
            if child.__class__ is list:
                child = next((item for item in child if isinstance(item, BASE)), None)
            if child.__class__ is exp.Column:
                # The commonest argument of all: its name says where it is.
                child = child.args["this"]
            if isinstance(child, BASE) and _has_offset(child):
                break
        else:
            return -1, 0
        if isinstance(node, exp.Paren) or (isinstance(node, exp.Func) and not isinstance(node, exp.Binary)):
            depth += 1
        node = child
        meta = node._meta
        if meta and "start" in meta:
            return int(meta["start"]), depth


def _has_offset(node: Any) -> bool:
    stack = [node]
    while stack:
        item = stack.pop()
        meta = item._meta
        if meta and "start" in meta:
            return True
        stack += children(item)
    return False
