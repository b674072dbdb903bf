"""What a statement does, step by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import Field
from sqlglot import exp

from core.domain.query import Dialect
from core.domain.table import Column, ColumnKind, Table
from core.toolkit.args import ToolArgs
from core.toolkit.context import ToolContext
from core.toolkit.family import Family
from core.toolkit.lineage import conjuncts, parsed, tables_read
from core.toolkit.tool import ToolResult, tool
from core.toolkit.wording import counted


class ExplainQueryArgs(ToolArgs):
    """Which statement."""

    sql: str = Field(min_length=1, max_length=100_000, description="One SELECT; it is not run.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps(ToolResult):
    """One row a step."""

    columns = (
        Column("step", ColumnKind.DIMENSION),
        Column("part", ColumnKind.DIMENSION),
        Column("what", ColumnKind.TEXT),
        Column("sql", ColumnKind.TEXT),
    )


@dataclass(frozen=True, slots=True)
class Step:
    """What happens, in words and as written; `part` is the CTE or the main statement."""

    part: str
    what: str
    sql: str


@tool(family=Family.META)
async def explain_query(args: ExplainQueryArgs, ctx: ToolContext) -> Steps:
    """Say what a statement does, step by step in the order in which it takes effect.

    Use it when the asker wants to know how an answer was made. It reads the text only; for what
    the database would read use `estimate_cost`, for where columns come from `show_lineage`.

    Returns one row a step:
        step: its number, from 1
        part: name of the named subquery that it belongs to, or "result"
        what: what happens, in words
        sql: the piece of the statement that says so

    Raises:
        NotPossible: the text is not one SELECT in the connection's dialect.
    """
    tree = parsed(args.sql, ctx.catalog)
    steps = list(steps_of(tree, ctx.dialect))
    rows = tuple(
        (number, step.part, step.what, step.sql) for number, step in enumerate(steps, start=1)
    )
    names = [table.qualified_name for table in tables_read(tree, ctx.catalog)]
    return Steps(finding=describe(steps, names), table=Table(columns=Steps.columns, rows=rows))


def steps_of(tree: exp.Query, dialect: Dialect) -> Iterator[Step]:
    """Read the named subqueries first, then the statement itself."""
    for cte in tree.ctes:
        yield from _steps_of_part(cte.this, cte.alias, dialect)
    yield from _steps_of_part(tree, "result", dialect)


def _steps_of_part(query: exp.Expr, part: str, dialect: Dialect) -> Iterator[Step]:
    if isinstance(query, exp.SetOperation):
        yield from _steps_of_set(query, part, dialect)
    elif isinstance(query, exp.Subquery):
        yield from _steps_of_part(query.this, part, dialect)
    elif isinstance(query, exp.Select):
        for source in _sources(query):
            if isinstance(source, exp.Subquery):
                yield from _steps_of_part(source.this, source.alias, dialect)
        for what, piece in _clauses(query):
            yield Step(part, what, piece.sql(dialect=dialect))


def _sources(query: exp.Select) -> Iterator[exp.Expr]:
    if source := query.args.get("from_"):
        yield source.this
    yield from (join.this for join in query.args.get("joins") or ())


def _steps_of_set(query: exp.SetOperation, part: str, dialect: Dialect) -> Iterator[Step]:
    for side in (query.left, query.right):
        yield from _steps_of_part(side, part, dialect)
    kind = type(query).__name__.lower()
    kept = "keep repeated rows" if query.args.get("distinct") is False else "drop repeated rows"
    words = {"union": f"Put both results under each other and {kept}"}
    what = words.get(kind, f"Keep the rows of the first by {kind} with the second, and {kept}")
    yield Step(part, what, kind.upper())
    for what, piece in _ends(query):
        yield Step(part, what, piece.sql(dialect=dialect))


def _clauses(query: exp.Select) -> Iterator[tuple[str, exp.Expr]]:
    """Yield each clause in the order in which it takes effect."""
    if source := query.args.get("from_"):
        yield f"Read {_name(source.this)}", source.this
    yield from ((_join(join), join) for join in query.args.get("joins") or ())
    if where := query.args.get("where"):
        yield from (("Keep rows where this holds", each) for each in conjuncts(where.this))
    if group := query.args.get("group"):
        yield "Group, one row for each different combination", group
    yield from (("Compute over each group or all rows", each) for each in _aggregates(query))
    if having := query.args.get("having"):
        yield "Keep groups where this holds", having.this
    yield from (("Compute across rows, keeping each", each) for each in _windows(query))
    if distinct := query.args.get("distinct"):
        yield "Drop repeated rows", distinct
    yield from _ends(query)


def _ends(query: exp.Query) -> Iterator[tuple[str, exp.Expr]]:
    if order := query.args.get("order"):
        yield "Sort", order
    if offset := query.args.get("offset"):
        yield "Skip the first rows", offset
    if limit := query.args.get("limit"):
        yield "Keep the first rows only", limit


def _name(source: exp.Expr) -> str:
    return f"subquery {source.alias}" if isinstance(source, exp.Subquery) else source.name


def _join(join: exp.Join) -> str:
    kind = " ".join(word.lower() for word in (join.side, join.kind) if word)
    name = _name(join.this)
    if "left" in kind:
        return f"Add {name}, keeping rows without a partner in it"
    if "cross" in kind or not (join.args.get("on") or join.args.get("using")):
        return f"Pair every row with every row of {name}"
    if "full" in kind or "right" in kind:
        return f"Add {name}, keeping its rows without a partner ({kind} join)"
    return f"Add {name}, dropping rows without a partner in it"


def _aggregates(query: exp.Select) -> Iterator[exp.Expr]:
    for projection in query.selects:
        windowed = projection.find(exp.Window)
        if projection.find(exp.AggFunc) and not windowed:
            yield projection


def _windows(query: exp.Select) -> Iterator[exp.Expr]:
    yield from (projection for projection in query.selects if projection.find(exp.Window))


def describe(steps: Sequence[Step], tables: Sequence[str]) -> str:
    read = f"reads {', '.join(tables)}" if tables else "reads no table"
    parts = len({step.part for step in steps}) or 1
    split = f" in {parts} parts" if parts > 1 else ""
    return f"The statement {read}, in {counted(len(steps), 'step')}{split}."
