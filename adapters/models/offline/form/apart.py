"""Figures of two tables side by side: each is reckoned by itself, so no join multiplies it."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

from sqlglot import exp

from adapters.models.offline.form.frame import Frame, NotUnderstood
from adapters.models.offline.form.sqltext import identifier, number
from adapters.models.offline.sketch.sketch import Aggregate, Field, Measure, Ratio, Sketch, Term

SIDES = "sides"  # what the query of two figures is called in the one of their ratio
_MOST = 2


def figures_apart(frame: Frame) -> list[Sketch]:
    """Return a sketch for each figure where a join of their tables would count rows repeatedly."""
    sketch = frame.sketch
    figures = [(item, name) for item in sketch.items if (name := _table(item, frame))]
    tables = {name for _, name in figures}
    if (
        len(tables) < 2
        or sketch.growth
        or not any(_grows(*each, tables, frame) for each in figures)
    ):
        return []
    if len(figures) > _MOST or sketch.order or sketch.limit or sketch.ranking:
        raise NotUnderstood("figures of several tables are shown two at a time, and not ranked")
    named = [item for item in sketch.items if not _table(item, frame)]
    return [_only(sketch, [*named, figure]) for figure, _ in figures]


def ratio_apart(frame: Frame) -> tuple[Ratio, Sketch, Sketch] | None:
    """Return a ratio and the sketches of its sides, where a join would repeat what one adds up.

    Raises:
        NotUnderstood: they are ranked, or reckoned per thing.
    """
    sketch = frame.sketch
    [term] = sketch.items if len(sketch.items) == 1 else [None]
    if not isinstance(term, Ratio):
        return None
    sides = [(side, _table(side, frame)) for side in (term.top, term.bottom)]
    tables = {name for _, name in sides}
    if len(tables) < 2 or not any(_grows(side, name, tables, frame) for side, name in sides):
        return None
    if sketch.order or sketch.each:
        raise NotUnderstood("a ratio of figures of two tables is told in no order")
    top, bottom = (_of_side(sketch, side) for side in (term.top, term.bottom))
    return term, top, bottom


def _of_side(sketch: Sketch, side: Measure) -> Sketch:
    other = _only(sketch, [Measure(side.aggregate, side.mention, distinct=side.distinct)])
    other.conditions = [*other.conditions, *side.only]
    return other


def divided(ratio: Ratio, top: exp.Select, bottom: exp.Select) -> exp.Select:
    """Divide the one figure of a query by that of another, group by group where there are any."""
    if len(top.selects) == 1:
        return exp.select(_part(ratio, exp.Subquery(this=top), exp.Subquery(this=bottom)))
    whole = side_by_side([top, bottom])
    *groups, above, below = (each.alias_or_name for each in whole.selects)
    part = _part(ratio, _column(above), _column(below))
    order = top.args.get("order")
    whole.set("order", None)
    query = exp.select(*map(_column, groups), part).from_(whole.subquery(SIDES))
    in_time = isinstance(order, exp.Order) and not order.expressions[0].args.get("desc")
    by = _column(groups[0]) if in_time else part.unalias()
    return query.order_by(exp.Ordered(this=by, desc=not in_time, nulls_first=False))


def _part(ratio: Ratio, top: exp.Expr, bottom: exp.Expr) -> exp.Expr:
    sql: exp.Expr = exp.Div(
        this=exp.cast(top, exp.DataType.Type.DOUBLE),
        expression=exp.Nullif(this=bottom, expression=number(0)),
    )
    name = "percentage" if ratio.percent else "ratio"
    return exp.alias_(exp.Mul(this=number(100), expression=sql) if ratio.percent else sql, name)


def _table(term: Term, frame: Frame) -> str:
    """Return the table of a figure; nothing for what is no figure."""
    if isinstance(term, Measure) and term.mention is not None:
        return frame.option(term.mention).table.name
    if isinstance(term, Field):
        column = frame.option(term.mention).column
        return column.table if column is not None and column.is_measure else ""
    return ""


def _grows(term: Term, table: str, tables: set[str], frame: Frame) -> bool:
    """Say whether a figure is added up over rows that another table would multiply."""
    counts = isinstance(term, Measure) and term.aggregate is Aggregate.COUNT
    over_rows = isinstance(term, Measure) or bool(frame.sketch.groups)
    return (
        over_rows
        and not counts
        and any(not frame.is_single_from(table, o) for o in tables - {table})
    )


def _only(sketch: Sketch, items: list[Term]) -> Sketch:
    other = copy(sketch)
    other.items, other.subject = items, None
    other.groups, other.conditions = list(sketch.groups), list(sketch.conditions)
    other.order = []
    return other


def side_by_side(queries: Sequence[exp.Select]) -> exp.Select:
    """Put the figures of each group beside each other; a group may have one of them only.

    Raises:
        NotUnderstood: they are not of the same groups.
    """
    queries = _apart_by_name(queries)
    figures = [query.selects[-1].alias_or_name for query in queries]
    shown = [[each.alias_or_name for each in query.selects[:-1]] for query in queries]
    parts = [_with_keys(query) for query in queries]
    keys = [[each.alias_or_name for each in part.selects] for part in parts]
    groups = [name for name in keys[0] if name != figures[0]]
    if any([n for n in names if n != figures[at]] != groups for at, names in enumerate(keys)):
        raise NotUnderstood("figures of different groups")
    if len({*figures, *groups}) < len(figures) + len(groups):
        raise NotUnderstood("two figures of one name")
    rows = [_rows(part, at, groups, figures) for at, part in enumerate(parts)]
    both = exp.Union(this=rows[0], expression=rows[1], distinct=False)
    # Each part has one row for a group, so the highest is the figure, whatever it is of.
    shown_figures = [exp.alias_(exp.Max(this=_column(name)), name) for name in figures]
    whole = exp.select(*(_column(name) for name in shown[0]), *shown_figures)
    whole = whole.from_(exp.Subquery(this=both, alias=_alias("both_parts")))
    if not groups:
        return whole
    whole = whole.group_by(*(_column(name) for name in groups))
    return whole.order_by(exp.Ordered(this=exp.Max(this=_column(figures[0])), desc=True))


def _apart_by_name(queries: Sequence[exp.Select]) -> list[exp.Select]:
    """Put the table before the names of figures that are called alike."""
    names = [query.selects[-1].alias_or_name for query in queries]
    found: list[exp.Select] = []
    for query, name in zip(queries, names, strict=True):
        column = query.selects[-1].find(exp.Column)
        if names.count(name) > 1 and column is not None:
            figure = exp.alias_(query.selects[-1].unalias(), f"{column.table.lower()}_{name}")
            found.append(query.select(*query.selects[:-1], figure, append=False))
        else:
            found.append(query)
    return found


def _with_keys(query: exp.Select) -> exp.Select:
    """Show by which keys rows are grouped, so that two groups of one name stay two."""
    plain = query.copy()
    plain.set("order", None)
    group = query.args.get("group")
    by = list(group.expressions) if isinstance(group, exp.Group) else []
    seen = [each.unalias() for each in query.selects]
    for at, key in enumerate((each for each in by if each not in seen), start=1):
        plain = plain.select(exp.alias_(key.copy(), f"key_{at}"))
    return plain


def _rows(part: exp.Select, at: int, groups: list[str], figures: list[str]) -> exp.Select:
    shown: list[exp.Expr] = [_column(name) for name in groups]
    shown += [
        _column(name) if place == at else exp.alias_(exp.Null(), name)
        for place, name in enumerate(figures)
    ]
    return exp.select(*shown).from_(part.subquery(f"part_{at + 1}"))


def _alias(name: str) -> exp.TableAlias:
    return exp.TableAlias(this=exp.to_identifier(name))


def _column(name: str) -> exp.Column:
    return exp.column(identifier(name))
