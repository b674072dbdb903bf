"""Definitions held against a connection: names by its catalog, SQL by its guard.

What passes is written anew from the checked tree, so that nobody ever reads or runs the text that
somebody typed. What does not pass is left out, with a problem for whoever wrote it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from sqlglot import exp

from core.domain.catalog import Catalog, CatalogColumn, CatalogTable
from core.domain.definitions import (
    Definition,
    Definitions,
    Join,
    Metric,
    Problem,
    Synonym,
    Term,
    names_of,
    together,
)
from core.domain.names import unknown_name
from core.sql.guard import Guard
from core.sql.reading import read, render
from core.sql.verdict import Refused

_MOST_ROWS = 1_000
_Node = TypeVar("_Node", bound=exp.Expr)
_SUBQUERIES = (exp.Subquery, exp.Exists)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """The definitions that a connection can use, and what is wrong with the others."""

    definitions: Definitions
    problems: tuple[Problem, ...] = ()


class _Unfit(Exception):
    """Why a definition cannot be used on this connection."""


def fitted(definitions: Definitions, guard: Guard, *, hidden: Sequence[str] = ()) -> Fitted:
    """Return what of the definitions holds on the guard's catalog, written anew.

    hidden: the rules of columns that nobody sees (`customers.ssn`); what speaks of one is left out
    """
    checks = _Checks(guard)
    kept: list[Definition] = []
    problems: list[Problem] = []
    for each in definitions:
        try:
            _refuse_hidden(each, guard.catalog, hidden)
            kept.append(checks.checked(each))
        except _Unfit as error:
            problems.append(Problem(each.place, f"{_called(each)} {error}"))
    kept, doubled = together(kept)
    return Fitted(definitions=Definitions.of(kept), problems=(*problems, *doubled))


def _called(definition: Definition) -> str:
    kind = type(definition).__name__.lower()
    return f"the {kind} {definition.name!r}"


@dataclass(frozen=True, slots=True)
class _Checks:
    guard: Guard

    def checked(self, definition: Definition) -> Definition:
        match definition:
            case Term():
                return self._term(definition)
            case Metric():
                return self._metric(definition)
            case Synonym():
                return self._synonym(definition)
            case Join():
                return self._join(definition)

    def _term(self, term: Term) -> Term:
        if not term.condition:
            return term
        table = self._table(term.table)
        condition = self._condition(term.condition, table)
        self._judge(exp.select(exp.Star()), table, [condition])
        return replace(term, table=table.qualified_name, condition=self._written(condition))

    def _metric(self, metric: Metric) -> Metric:
        table = self._table(metric.table)
        figure = self._figure(metric.expression, table)
        conditions = [self._condition(each, table) for each in metric.conditions]
        if metric.date:
            self._column(table, metric.date)
        ranks = tuple(self._table(each).qualified_name for each in metric.ranks)
        self._judge(exp.select(figure.copy().as_("value")), table, conditions)
        return replace(
            metric,
            table=table.qualified_name,
            expression=self._written(figure),
            conditions=tuple(map(self._written, conditions)),
            ranks=ranks,
        )

    def _synonym(self, synonym: Synonym) -> Synonym:
        catalog = self.guard.catalog
        whole = catalog.table(synonym.target)
        if whole is not None:
            return replace(synonym, table=whole.qualified_name, column="")
        table = self._table(synonym.table)
        return replace(
            synonym,
            table=table.qualified_name,
            column=self._column(table, synonym.column).name,
        )

    def _join(self, join: Join) -> Join:
        table, to_table = self._table(join.table), self._table(join.to_table)
        return replace(
            join,
            table=table.qualified_name,
            column=self._column(table, join.column).name,
            to_table=to_table.qualified_name,
            to_column=self._column(to_table, join.to_column).name,
        )

    def _table(self, name: str) -> CatalogTable:
        found = self.guard.catalog.table(name)
        if found is None:
            known = (each.qualified_name for each in self.guard.catalog.tables)
            raise _Unfit(f"fits no table. {unknown_name('table', name, known)}")
        return found

    def _column(self, table: CatalogTable, name: str) -> CatalogColumn:
        found = table.column(name)
        if found is None:
            what = f"column of {table.qualified_name}"
            known = (each.name for each in table.columns)
            raise _Unfit(f"fits no column. {unknown_name(what, name, known)}")
        if found.masked:
            raise _Unfit(f"uses {table.qualified_name}.{found.name}, whose values are masked")
        return found

    def _figure(self, text: str, table: CatalogTable) -> exp.Expr:
        figure = self._piece(text, "its expression")
        self._check_columns(figure, table)
        if figure.find(exp.Window):
            raise _Unfit("computes with windows; a metric is one figure of many rows")
        loose = [c for c in _own(figure, exp.Column) if c.find_ancestor(exp.AggFunc) is None]
        if loose or not any(True for _ in _own(figure, exp.AggFunc)):
            raise _Unfit(
                f"has the expression {text!r}, which is no figure of many rows; "
                "write SUM(…), AVG(…), COUNT(…) or the like around its columns"
            )
        return figure

    def _condition(self, text: str, table: CatalogTable) -> exp.Expr:
        condition = self._piece(text, "its filter")
        self._check_columns(condition, table)
        if any(True for _ in _own(condition, exp.AggFunc, exp.Window)):
            raise _Unfit(f"has the filter {text!r}, which is no condition on single rows")
        return exp.Paren(this=condition) if isinstance(condition, exp.Or) else condition

    def _piece(self, text: str, what: str) -> exp.Expr:
        """Read one expression, and nothing but one expression."""
        try:
            tree = read(f"SELECT {text}", self.guard.dialect).tree()
        except Refused as error:
            raise _Unfit(f"cannot be used, because {what} cannot be read: {error.advice}") from None
        parts = [name for name, value in tree.args.items() if value and name != "expressions"]
        pieces: list[exp.Expr] = tree.args.get("expressions") or []
        if not isinstance(tree, exp.Select) or parts or len(pieces) != 1:
            raise _Unfit(f"cannot be used, because {what} {text!r} is more than one expression")
        piece = pieces[0]
        if isinstance(piece, exp.Alias | exp.Star | exp.Query) or not isinstance(
            piece, exp.Condition
        ):
            raise _Unfit(f"cannot be used, because {what} {text!r} is no plain expression")
        return piece

    def _check_columns(self, piece: exp.Expr, table: CatalogTable) -> None:
        names = {table.name.casefold(), table.qualified_name.casefold()}
        for column in _own(piece, exp.Column):
            if isinstance(column.this, exp.Star):
                continue
            if column.table and column.table.casefold() not in names:
                raise _Unfit(
                    f"uses {column.sql()!r}, but it is about {table.qualified_name}; "
                    "a column of another table needs a subquery"
                )
            self._column(table, column.name)
            # In a query the table may have another name: a column is told by its own.
            column.set("table", None)
            column.set("db", None)
        for inner in piece.find_all(*_SUBQUERIES):
            self._check_inner(inner, table)

    def _check_inner(self, inner: exp.Expr, table: CatalogTable) -> None:
        named = [self.guard.catalog.table(each.name) for each in inner.find_all(exp.Table)]
        tables = [table, *(each for each in named if each is not None)]
        for column in inner.find_all(exp.Column):
            owners = [found for each in tables if (found := each.column(column.name)) is not None]
            if not owners and not isinstance(column.this, exp.Star):
                raise _Unfit(f"names a column that is not there: {column.name!r}")
            if any(each.masked for each in owners):
                raise _Unfit(f"uses {column.name!r}, whose values are masked")

    def _judge(
        self, query: exp.Select, table: CatalogTable, conditions: Sequence[exp.Expr]
    ) -> None:
        """Have the guard judge the very statement that the definition stands for."""
        whole = query.from_(_relation(table))
        for each in conditions:
            whole = whole.where(each.copy())
        try:
            text = render(whole, self.guard.dialect)
        except Refused as error:
            raise _Unfit(f"cannot be used. {error.advice}") from None
        verdict = self.guard.judge(text, max_rows=_MOST_ROWS)
        if not verdict.allowed:
            raise _Unfit(f"is refused ({verdict.rule}): {verdict.reason}")

    def _written(self, piece: exp.Expr) -> str:
        return render(piece.copy(), self.guard.dialect)


def _relation(table: CatalogTable) -> exp.Table:
    schema = exp.to_identifier(table.schema, quoted=True) if table.schema else None
    return exp.Table(this=exp.to_identifier(table.name, quoted=True), db=schema)


def _own(piece: exp.Expr, *kinds: type[_Node]) -> Iterator[_Node]:
    """Yield the nodes that belong to the expression itself, not to a subquery in it."""
    for node in piece.find_all(*kinds):
        within = node.find_ancestor(exp.Select)
        if within is None or within.parent is None:
            yield node


def _refuse_hidden(definition: Definition, catalog: Catalog, hidden: Sequence[str]) -> None:
    """Leave out what speaks, in whatever words, of a column or table that nobody sees."""
    meaning = "" if isinstance(definition, Join) else definition.meaning
    said = " ".join((*names_of(definition), meaning)).casefold()
    if said and any(names(said) for names in map(_naming, hidden, [catalog] * len(hidden))):
        raise _Unfit("speaks of a column that is hidden here")


def _naming(rule: str, catalog: Catalog) -> Callable[[str], bool]:
    """Return what finds a rule's column in a text: by its own name, or with its table's."""
    table, _, column = rule.casefold().rpartition(".")
    table = table.rpartition(".")[2]
    pattern = _written_as(table) if column == "*" else _written_as(column)
    elsewhere = any(
        re.fullmatch(pattern, c.name.casefold()) for t in catalog.tables for c in t.columns
    )
    if column != "*" and elsewhere:
        # Another table shows a column of that name: only the hidden one's table tells them apart.
        pattern = rf"{_written_as(table)}\W+(?:\w+\W+){{0,2}}{pattern}"
    found = re.compile(rf"(?<!\w){pattern}(?!\w)")
    return lambda said: found.search(said) is not None


def _written_as(name: str) -> str:
    """Return a name's pattern, where words may be parted by a space as well as by a line."""
    return re.escape(name).replace(r"\*", r"\w*").replace("_", r"[\s_]+")
