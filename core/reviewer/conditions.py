"""What a statement's conditions say of its rows, in words: the period and the other filters.

Nothing is guessed: a condition that has no simple form is "other conditions". Said are only those
that hold for every row of the result, on columns that a table of the catalog has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, datetime, time

from sqlglot import exp
from sqlglot.optimizer.scope import Scope

from core.domain.answer import Conditions
from core.domain.catalog import Catalog, CatalogTable
from core.domain.errors import NotPossible
from core.domain.query import Dialect
from core.domain.table import EMPTY, ColumnKind
from core.reviewer.filter_words import words_of
from core.reviewer.ran import Ran, Stored, conjuncts
from core.reviewer.spans import ALWAYS, Span, said, whole
from core.reviewer.time_conditions import Timed, span_of, timed
from core.sql.periods import Grain
from core.sql.reading import tree_of

OTHER = "other conditions"
NO_CONDITIONS = Conditions()


def conditions_of(sql: str, catalog: Catalog) -> Conditions:
    """Read a statement that ran."""
    with suppress(NotPossible):
        ran = Ran(tree_of(sql, catalog.dialect), catalog, EMPTY, date.min)
        return _Reading(ran).conditions()
    return NO_CONDITIONS


def common(found: Sequence[Conditions]) -> Conditions:
    """Return what several statements have in common; a difference is "other conditions"."""
    if len(set(found)) <= 1:
        return found[0] if found else NO_CONDITIONS
    first, *others = found
    shared = [each for each in first.filters if all(each in other.filters for other in others)]
    period = first.period if len({each.period for each in found}) == 1 else ""
    return Conditions(
        period=period,
        time_zone=first.time_zone if period else "",
        filters=tuple(dict.fromkeys((*shared, OTHER))),
    )


@dataclass(slots=True)
class _Reading:
    ran: Ran
    spans: dict[Stored, Span] = field(default_factory=dict[Stored, Span])
    numbers: list[tuple[Stored, Grain, int]] = field(
        default_factory=list[tuple[Stored, Grain, int]]
    )
    filters: list[str] = field(default_factory=list[str])
    other: bool = False

    def conditions(self) -> Conditions:
        selects = list(self._chain())
        for select in selects:
            for each in conjuncts(select.args.get("where")):
                self._read(each, select)
        self._narrow()
        self.other = self.other or self._has_unread(selects)
        self.other = self.other or any(each.is_empty for each in self.spans.values())
        return self._said(
            {
                what: span
                for what, span in self.spans.items()
                if span != ALWAYS and not span.is_empty
            }
        )

    def _said(self, dated: dict[Stored, Span]) -> Conditions:
        told = [*self.filters, OTHER] if self.other else self.filters
        rest = list(dict.fromkeys(told))
        if len(dated) == 1:
            [(what, span)] = dated.items()
            zone = _zone(what, self.ran.dialect)
            return Conditions(period=said(span), time_zone=zone, filters=tuple(rest))
        several = (f"{self._label(what)}: {said(span)}" for what, span in dated.items())
        return Conditions(filters=(*several, *rest))

    def _chain(self) -> Iterator[exp.Select]:
        """Yield the SELECTs whose conditions hold for every row of the result, outermost first."""
        seen = set[int]()
        node = self.ran.tree.unnest()
        while isinstance(node, exp.Select) and id(node) not in seen:
            seen.add(id(node))
            yield node
            node = self._within(node)

    def _within(self, select: exp.Select) -> exp.Expr | None:
        """Return the query that all rows of a SELECT come from."""
        from_ = select.args.get("from_")
        joins: list[exp.Join] = select.args.get("joins") or []
        if from_ is None or any(each.side in {"RIGHT", "FULL"} for each in joins):
            return None
        if isinstance(from_.this, exp.Table) and not any(self.ran.nodes(exp.CTE)):
            return None  # a stored table: no scope has to be made to know that
        sources = self.ran.sources(select)
        source = sources.pop(from_.this.alias_or_name, None)
        filtered = (
            isinstance(each, Scope) and each.expression.find(exp.Where) for each in sources.values()
        )
        if not isinstance(source, Scope) or any(filtered):
            return None
        return source.expression

    def _has_unread(self, selects: Sequence[exp.Select]) -> bool:
        read = {id(each.args.get("where")) for each in selects}
        nodes = self.ran.nodes(exp.Where, exp.Having, exp.Qualify, exp.TableSample)
        if any(id(each) not in read and not isinstance(each.parent, exp.Filter) for each in nodes):
            return True
        links = (each.args.get("on") for each in self.ran.nodes(exp.Join))
        return any(on is not None and on.find(exp.Literal, exp.Null) for on in links)

    def _read(self, condition: exp.Expr, select: exp.Select) -> None:
        if _is_always(condition):
            return
        if not self._read_time(condition):
            words = words_of(condition, self._named, may_be_missing=_has_outer_join(select))
            if words:
                self.filters.append(words)
            else:
                self.other = True

    def _read_time(self, condition: exp.Expr) -> bool:
        parts = list(_comparisons(condition))
        read = [self._span(*each) for each in parts]
        if not read or not all(read):
            return False
        for found in read:
            if found is not None:
                what, span = found
                self.spans[what] = self.spans.get(what, ALWAYS).within(span)
        return True

    def _span(
        self, left: exp.Expr, operator: type[exp.Expr], value: exp.Expr
    ) -> tuple[Stored, Span] | None:
        what = timed(left)
        stored = self.ran.stored(what.column) if what is not None else None
        if what is None or stored is None or not _shows_time(stored):
            return None
        if self._is_read_twice(stored):
            return None
        if what.of_year:
            return self._number(stored, what, operator, value)
        days = stored.column.type.casefold() == "date"
        span = span_of(operator, value, what, days=days)
        return (stored, span) if span is not None else None

    def _number(
        self, stored: Stored, what: Timed, operator: type[exp.Expr], value: exp.Expr
    ) -> tuple[Stored, Span] | None:
        """Keep "the 3rd quarter" until the year is known."""
        if operator is not exp.EQ or not isinstance(value, exp.Literal) or what.grain is None:
            return None
        if not value.name.isdecimal():
            return None
        self.numbers.append((stored, what.grain, int(value.name)))
        return stored, ALWAYS

    def _narrow(self) -> None:
        """Make months and quarters of a known year what they are; without one they stay unsaid."""
        years = {what: span.year for what, span in self.spans.items()}
        for stored, grain, number in self.numbers:
            year = years[stored]
            period = _numbered(year, grain, number) if year is not None else None
            self.other = self.other or period is None
            self.spans[stored] = self.spans[stored].within(period or ALWAYS)

    def _named(self, column: exp.Column) -> str | None:
        """Return what to call a column; None for one whose conditions are not told."""
        stored = self.ran.stored(column)
        if stored is None or stored.column.masked or self._is_read_twice(stored):
            return None
        return self._label(stored)

    def _is_read_twice(self, stored: Stored) -> bool:
        """Say whether a condition on it may be one on another row of the same table."""
        return self._tables.count(stored.table) > 1

    def _label(self, stored: Stored) -> str:
        name = stored.column.name
        having = {each.qualified_name for each in self._tables if each.column(name)}
        said_name = f"{stored.table.name} {name}" if len(having) > 1 else name
        return said_name.replace("_", " ")

    @property
    def _tables(self) -> list[CatalogTable]:
        found = (self.ran.table_of(each) for each in self.ran.nodes(exp.Table))
        return [each for each in found if each is not None]


def _numbered(year: int, grain: Grain, number: int) -> Span | None:
    month = number if grain is Grain.MONTH else number * 3 - 2
    try:
        return whole(datetime.combine(date(year, month, 1), time.min), grain)
    except ValueError:
        return None


_COMPARED = (exp.EQ, exp.GT, exp.GTE, exp.LT, exp.LTE)
_FLIPPED: dict[type[exp.Expr], type[exp.Expr]] = {
    exp.GT: exp.LT,
    exp.GTE: exp.LTE,
    exp.LT: exp.GT,
    exp.LTE: exp.GTE,
}


def _comparisons(condition: exp.Expr) -> Iterator[tuple[exp.Expr, type[exp.Expr], exp.Expr]]:
    """Yield what a condition compares, the column's side first."""
    if isinstance(condition, exp.Between):
        yield condition.this, exp.GTE, condition.args["low"]
        yield condition.this, exp.LTE, condition.args["high"]
    elif isinstance(condition, _COMPARED):
        left, right, kind = condition.this, condition.expression, type(condition)
        if left.find(exp.Column) is None:
            yield right, _FLIPPED.get(kind, kind), left
        else:
            yield left, kind, right


def _is_always(condition: exp.Expr) -> bool:
    if isinstance(condition, exp.Boolean):
        return condition.this is True
    both = isinstance(condition, exp.EQ) and isinstance(condition.this, exp.Literal)
    return both and condition.this == condition.expression


def _shows_time(stored: Stored) -> bool:
    return stored.column.kind is ColumnKind.TIME and not stored.column.masked


def _has_outer_join(select: exp.Select) -> bool:
    joins: list[exp.Join] = select.args.get("joins") or []
    return any(each.side for each in joins)


def _zone(stored: Stored, dialect: Dialect) -> str:
    """Return the zone of a column's days, where its engine and our session leave no doubt."""
    word = _ZONED.get(dialect)
    return "UTC" if word and word in stored.column.type.casefold() else ""


# Sessions of these engines are opened in UTC, and moments of these types are shown in its days.
_ZONED = {Dialect.MYSQL: "timestamp", Dialect.TRINO: "with time zone"}
