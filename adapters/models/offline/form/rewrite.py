"""Turns what people say into what a query can say, once it is known which columns are meant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from adapters.models.offline.form.conditions import Part, parts_of
from adapters.models.offline.form.frame import Frame, NotUnderstood
from adapters.models.offline.form.slots import Option
from adapters.models.offline.form.sqltext import all_of, column_of
from adapters.models.offline.sketch.sketch import (
    Aggregate,
    Band,
    Bucket,
    Field,
    Measure,
    Mention,
    OrderKey,
    Ratio,
    Term,
)
from adapters.models.offline.world.roles import ADDED_UP, display_columns, is_averaged
from adapters.models.offline.world.schema import Column, Table


def rewritten(frame: Frame) -> list[Part]:
    """Rewrite the sketch in place; return the conditions that take the place of superlatives."""
    sketch = frame.sketch
    if not sketch.items and sketch.subject is not None and not sketch.groups:
        sketch.items.append(Field(sketch.subject))
    if sketch.groups and all(isinstance(group, Bucket) for group in sketch.groups):
        # "Which month had the highest revenue": periods are ranked by what is added up in them.
        sketch.order[:] = [replace(key, term=_summed(key.term, frame)) for key in sketch.order]
    if not sketch.items and sketch.groups and sketch.order:
        sketch.items.append(sketch.order[0].term)
    sketch.items[:] = [_average_of_counts(item, frame) for item in sketch.items]
    sketch.items[:] = [_summed(item, frame) for item in sketch.items]
    if sketch.each is not None:
        sketch.items[:] = [_per_each(item, sketch.each) for item in sketch.items]
    _figure_of_the_nameless(frame)
    return _superlatives(frame)


def _figure_of_the_nameless(frame: Frame) -> None:
    """Answer `what is the largest refund` by how much, where it is called by a number only."""
    sketch = frame.sketch
    item, key = (sketch.items[:1] or [None])[0], (sketch.order[:1] or [None])[0]
    if not sketch.what or len(sketch.items) != 1 or not isinstance(item, Field) or key is None:
        return
    option = frame.option(item.mention)
    if option.column is not None or display_columns(option.table) != option.table.key[:1]:
        return
    if not (key.extreme and sketch.limit == 1 and isinstance(key.term, Field)):
        return
    column = frame.option(key.term.mention).column
    if column is not None and column.is_measure and column.table == option.table.name:
        sketch.items[:] = [key.term]


def _summed(term: Term, frame: Frame) -> Term:
    """`revenue by region` is the sum for each region; ratings and the like are averaged."""
    if not isinstance(term, Field):
        return term
    option = frame.option(term.mention)
    column = option.column
    if (
        column is None
        and term.mention is frame.sketch.subject
        and _grouped_by_column(option, frame)
    ):
        return Measure(Aggregate.COUNT, term.mention)
    if column is None or not column.is_measure or not _is_over_rows(term, option, frame):
        return term
    averaged = is_averaged(column, term.mention.text)
    aggregate = Aggregate.AVG if averaged else Aggregate.SUM
    words = "the average" if aggregate is Aggregate.AVG else "the sum"
    if not column.formula:
        frame.notes.append(f"{term.mention.text} is {words} of {column.table}.{column.name}")
    return Measure(aggregate, term.mention)


def _grouped_by_column(option: Option, frame: Frame) -> bool:
    """Say whether `customers by country` is asked for: how many there are of each."""
    sketch = frame.sketch
    if len(sketch.items) != 1 or sketch.order or not sketch.groups:
        return False
    groups = [frame.option(g.mention) for g in sketch.groups if isinstance(g, Field)]
    return all(g.column is not None or g.table is not option.table for g in groups)


def _is_over_rows(term: Field, option: Option, frame: Frame) -> bool:
    """Say whether a figure is meant of many rows: it is grouped, or it is money in general."""
    sketch = frame.sketch
    for group in sketch.groups:
        if isinstance(group, Bucket | Band):
            return True
        if isinstance(group, Field):
            of = frame.option(group.mention)
            if of.column is not option.column and (
                of.column is not None or of.table is not option.table
            ):
                return True
    word = term.mention.text.lower().split()[-1]
    alone = len(sketch.items) == 1 and not sketch.order and not sketch.groups
    return (
        alone
        and word in ADDED_UP
        and _has_many(frame.reading.option(term.mention.near), option, frame)
    )


def _has_many(owner: Option | None, figure: Option, frame: Frame) -> bool:
    """Say whether a figure has no owner or an owner many: `revenue of enterprise customers`."""
    return owner is None or not frame.is_single_from(owner.table.name, figure.table.name)


def _average_of_counts(term: Term, frame: Frame) -> Term:
    """`average number of orders per customer` is all orders by all customers."""
    if not isinstance(term, Measure) or term.each is None or term.mention is None:
        return term
    option = frame.option(term.mention)
    if term.aggregate is not Aggregate.AVG or option.column is not None:
        return term
    groups = frame.sketch.groups
    each = groups[0] if len(groups) == 1 else None
    if not isinstance(each, Field):
        raise NotUnderstood("an average number needs to be per something")
    groups.clear()
    top = _pairs(term.mention, frame.option(each.mention).table, frame)
    return Ratio(
        top=Measure(Aggregate.COUNT, top),
        bottom=Measure(Aggregate.COUNT, each.mention),
    )


def _pairs(counted: Mention, each: Table, frame: Frame) -> Mention:
    """Count the rows between two tables: the items of an order are its lines, not all products."""
    table = frame.option(counted).table
    if frame.is_single_from(table.name, each.name) or frame.is_single_from(each.name, table.name):
        return counted
    between = [
        other
        for other in frame.schema.tables
        if frame.is_single_from(other.name, table.name)
        and frame.is_single_from(other.name, each.name)
        and frame.joins.between(other.name, table.name)
        and frame.joins.between(other.name, each.name)
    ]
    if len(between) != 1:
        raise NotUnderstood(f"{table.label} of one {each.label} cannot be counted")
    frame.notes.append(f"{counted.text} are counted as {between[0].label}")
    pairs = replace(counted, near=None, context=None)
    frame.reading.chosen[id(pairs)] = Option(between[0], None, 1.0)
    return pairs


def _per_each(term: Term, each: Mention) -> Term:
    """Make the figure of one thing of the figure of all.

    Raises:
        NotUnderstood: there is no figure of all.
    """
    if not isinstance(term, Measure) or term.aggregate in {Aggregate.MIN, Aggregate.MAX}:
        raise NotUnderstood("only counts and sums are reckoned per something")
    whole = Aggregate.COUNT if term.aggregate is Aggregate.COUNT else Aggregate.SUM
    return Ratio(Measure(whole, term.mention), Measure(Aggregate.COUNT, each, distinct=True))


def _superlatives(frame: Frame) -> list[Part]:
    sketch = frame.sketch
    found: list[Part] = []
    kept: list[OrderKey] = []
    for key in sketch.order:
        part = _as_condition(key, frame)
        if part is None:
            kept.append(key)
        else:
            found.append(part)
    if len(kept) > 1 and kept[0].extreme and kept[1].extreme:
        found.append(_both_ends(kept, frame))
        kept.clear()
    sketch.order[:] = kept
    if found and not kept:
        sketch.limit = None
    return found


def _both_ends(keys: Sequence[OrderKey], frame: Frame) -> Part:
    """Read `the oldest and the youngest`: the rows at either end."""
    terms = [key.term for key in keys if isinstance(key.term, Field)]
    options = [frame.option(term.mention) for term in terms]
    column = options[0].column if options else None
    opposed = len(options) == 2 and keys[0].descending != keys[1].descending
    if column is None or not opposed or options[1].column is not column:
        raise NotUnderstood("two superlatives at once")
    ends = (True, False)
    parts = tuple(_is_extreme(column, options[0], frame, descending=each) for each in ends)
    either = exp.Paren(this=exp.or_(*(part.sql for part in parts)))
    return Part(either, parts[0].tables)


def _as_condition(key: OrderKey, frame: Frame) -> Part | None:
    """`songs of the youngest singer` are those of a singer whose age is the lowest of all."""
    if not key.extreme or frame.sketch.limit != 1 or not isinstance(key.term, Field):
        return None
    option = frame.option(key.term.mention)
    column = option.column
    if column is None:
        return None
    descending = key.descending != option.inverse
    if frame.sketch.groups:
        return _within_groups(column, frame, descending=descending)
    shown = _shown_table(frame)
    if shown is None or shown.name == column.table:
        return None
    if not column.is_time and not frame.is_single_from(shown.name, column.table):
        return None
    return _is_extreme(column, option, frame, descending=descending)


def _within_groups(column: Column, frame: Frame, *, descending: bool) -> Part | None:
    """`for each city the age of the oldest` is the highest age of each city."""
    items = frame.sketch.items
    aggregate = Aggregate.MAX if descending else Aggregate.MIN
    for at, item in enumerate(items):
        if isinstance(item, Field) and frame.option(item.mention).column is column:
            items[at] = Measure(aggregate, item.mention)
            return Part(exp.true(), ())
    if any(isinstance(item, Measure) for item in items):
        return None
    raise NotUnderstood("the first of each group needs a query of its own")


def _shown_table(frame: Frame) -> Table | None:
    """Return the table whose rows are shown or counted."""
    options: list[Option] = []
    for item in frame.sketch.items:
        mention = item.mention if isinstance(item, Field | Measure) else None
        if mention is not None:
            options.append(frame.option(mention))
    names = {option.table.name for option in options}
    return options[0].table if len(names) == 1 else None


def _is_extreme(column: Column, option: Option, frame: Frame, *, descending: bool) -> Part:
    """Say that a column has its highest or lowest value, among rows that meet the conditions."""
    extreme = exp.Max if descending else exp.Min
    own = [
        part.sql
        for condition in frame.sketch.conditions
        for part in parts_of(condition, frame)
        if set(part.tables) == {column.table} and part.count is None and part.sql != exp.true()
    ]
    best = exp.select(extreme(this=column_of(column))).from_(frame.source(option.table))
    best = best.where(all_of([sql.copy() for sql in own])) if own else best
    sql = exp.EQ(this=column_of(column), expression=exp.Subquery(this=best))
    return Part(sql, (column.table,))
