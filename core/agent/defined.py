"""What the data team has defined, held against what is asked back and against what ran."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sqlglot import exp

from core.agent.answer_text import LONGEST_LINE
from core.context import ExecutionContext
from core.domain.definitions import Definitions, Metric, Named, Synonym, Term, names_of, told
from core.domain.query import Dialect
from core.memory.cards import plain
from core.memory.definitions import is_named
from core.memory.words import words_of
from core.sql.reading import tree_of
from core.sql.verdict import Refused

_OPENS, _CLOSES = "\"'`\u2018\u201c\u201e\u00ab", "\"'`\u2019\u201d\u201c\u00bb"
_QUOTED = re.compile(f"[{_OPENS}]([^{_CLOSES}]{{2,80}})[{_CLOSES}]")
_OF_MEANING = frozenset(
    words_of("mean meaning meant define defined definition count considered interpret refer")
)
_OF_RANKING = frozenset(words_of("top best worst rank ranked ranking biggest highest leading by"))


def settled_by_definition(
    question: str, options: Sequence[str], ctx: ExecutionContext
) -> str | None:
    """Return what a definition says to a question back; None where no definition does.

    It has to ask what a word means that the reader has used, or by what things are ranked.
    """
    for each in ctx.definitions.named:
        if not is_named(each, ctx.turn.question):
            continue
        if _asks_for_meaning(question, each):
            return plain(told(each))
        if isinstance(each, Metric) and each.ranks and _asks_by_what(question, options, each):
            return plain(f"By {each.name}. {told(each)}")
    return None


def _asks_for_meaning(question: str, definition: Named) -> bool:
    names = [frozenset(words_of(name)) for name in names_of(definition)]
    quoted = [frozenset(words_of(each)) for each in _QUOTED.findall(question)]
    if any(said and said <= name for said in quoted for name in names):
        return True
    asked = frozenset(words_of(question))
    return bool(asked & _OF_MEANING) and any(name <= asked for name in names)


def _asks_by_what(question: str, options: Sequence[str], metric: Metric) -> bool:
    """Say whether the metric is among what things could be ranked by."""
    if not set(words_of(question)) & _OF_RANKING:
        return False
    names = [frozenset(words_of(name)) for name in names_of(metric)]
    return any(name <= frozenset(words_of(option)) for option in options for name in names)


def definitions_told(
    definitions: Definitions, statements: Sequence[str], dialect: Dialect, said: Sequence[str]
) -> tuple[str, ...]:
    """Return a sentence for each definition that the statements go by and `said` does not name."""
    if not definitions.named or not statements:
        return ()
    trees = [tree for text in statements if (tree := _tree(text, dialect)) is not None]
    spoken = "\n".join(said).casefold()
    return tuple(
        told(each)[:LONGEST_LINE]
        for each in definitions.named
        if each.name.casefold() not in spoken
        and any(_goes_by(tree, each, dialect) for tree in trees)
    )


def _goes_by(tree: exp.Expr, definition: Named, dialect: Dialect) -> bool:
    tables = {table.name.casefold() for table in tree.find_all(exp.Table)}
    if not {each.rpartition(".")[2].casefold() for each in definition.tables} <= tables:
        return False
    match definition:
        case Metric():
            parts = [definition.expression, *definition.conditions]
        case Term():
            parts = [definition.condition] if definition.condition else []
        case Synonym():
            return any(_is_column(each, definition) for each in tree.find_all(exp.Column))
    pieces = [piece for part in parts for piece in _pieces(part, dialect)]
    have = set(map(_plain, tree.walk()))
    return bool(pieces) and all(_has(piece, tree, have) for piece in pieces)


def _is_column(column: exp.Column, synonym: Synonym) -> bool:
    return bool(synonym.column) and column.name.casefold() == synonym.column.casefold()


def _pieces(text: str, dialect: Dialect) -> Iterator[exp.Expr]:
    """Yield what a part of a definition is made of: each of its aggregates, each condition."""
    tree = _tree(f"SELECT {text}", dialect)
    whole = tree.expressions[0] if isinstance(tree, exp.Select) else None
    if not isinstance(whole, exp.Expr):
        return
    aggregates = list(whole.find_all(exp.AggFunc)) if not whole.find(exp.Select) else []
    if aggregates:
        yield from aggregates
    else:
        yield from whole.flatten() if isinstance(whole, exp.And) else (whole,)


def _has(piece: exp.Expr, tree: exp.Expr, have: set[str]) -> bool:
    """Say whether a statement has a piece: an aggregate may be taken of some rows only."""
    if _plain(piece) in have:
        return True
    if not isinstance(piece, exp.AggFunc) or not isinstance(piece.this, exp.Column):
        return False
    inner = _plain(piece.this)
    same = tree.find_all(type(piece))
    return any(inner in map(_plain, each.find_all(exp.Column)) for each in same)


def _plain(node: exp.Expr) -> str:
    """Write a node so that it does not matter how its tables are called, quoted or spelt."""
    if isinstance(node, exp.Column):
        return node.name.casefold()
    copy = node.copy()
    for column in list(copy.find_all(exp.Column)):
        column.replace(exp.column(exp.to_identifier(column.name.casefold())))
    return copy.sql(comments=False)


def _tree(text: str, dialect: Dialect) -> exp.Expr | None:
    try:
        return tree_of(text, dialect)
    except Refused:
        return None
