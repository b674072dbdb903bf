"""Which columns of a source are masked, also behind subqueries, names of WITH and aliases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from sqlglot import exp

from core.domain.catalog import CatalogTable
from core.sql.relations import Relations, parts_of
from core.sql.scopes import common_expression


@dataclass(frozen=True, slots=True)
class Output:
    """A column of what a query gives; `masked` is the table's column that it shows, if it is."""

    name: str
    masked: str = ""


Outputs = Sequence[Output]


@dataclass(frozen=True, slots=True)
class Flow:
    """Follows masked columns through one statement; `restricted` are its tables that have some."""

    relations: Relations
    restricted: Mapping[int, CatalogTable]
    _known: dict[int, Outputs] = field(default_factory=dict[int, Outputs])

    def sources(self, select: exp.Select) -> Iterator[tuple[str, Outputs]]:
        """Yield what a select reads from, by the names that it has there."""
        from_ = select.args.get("from_")
        given = [from_, *(select.args.get("joins") or ()), *(select.args.get("laterals") or ())]
        for each in given:
            if each is not None:
                yield from self._source(each if isinstance(each, exp.Lateral) else each.this)

    def outputs(self, query: exp.Expr) -> Outputs:
        """Return the columns of a query, as far as they are known."""
        if id(query) not in self._known:
            self._known[id(query)] = ()  # what reads itself adds nothing to itself
            self._known[id(query)] = tuple(self._outputs(query))
        return self._known[id(query)]

    def _outputs(self, query: exp.Expr) -> Iterator[Output]:
        match query:
            case exp.Subquery():
                yield from self.outputs(query.this)
            case exp.SetOperation():
                sides = (self.outputs(query.this), self.outputs(query.expression))
                for left, right in zip_longest(*sides, fillvalue=Output("")):
                    yield Output(left.name, left.masked or right.masked)
            case exp.Select():
                for each in query.expressions:
                    yield from self._projected(each, query)
            case _:
                return

    def _projected(self, projection: exp.Expr, select: exp.Select) -> Iterator[Output]:
        bare = projection.unalias()
        while isinstance(bare, exp.Paren):
            bare = bare.this
        if isinstance(bare, exp.Star) or (isinstance(bare, exp.Column) and bare.is_star):
            yield from self._all_of(bare.text("table"), select)
        else:
            yield Output(projection.alias_or_name, self._masked(bare, select))

    def _all_of(self, table: str, select: exp.Select) -> Iterator[Output]:
        for alias, outputs in self.sources(select):
            if not table or alias.casefold() == table.casefold():
                yield from outputs

    def _masked(self, value: exp.Expr, select: exp.Select) -> str:
        if isinstance(value, exp.Subquery):
            return next((each.masked for each in self.outputs(value)), "")
        if not isinstance(value, exp.Column):
            return ""
        found = self._all_of(value.table, select)
        same = (each.masked for each in found if each.name.casefold() == value.name.casefold())
        return next(filter(None, same), "")

    def _source(self, source: exp.Expr) -> Iterator[tuple[str, Outputs]]:
        bare = isinstance(source, exp.Subquery) and not source.alias
        if bare and isinstance(source.this, exp.Table | exp.Subquery):
            yield from self._source(source.this)
        else:
            yield source.alias_or_name, self._named(source)
        for join in source.args.get("joins") or ():
            yield from self._source(join.this)

    def _named(self, source: exp.Expr) -> Outputs:
        match source:
            case exp.Table():
                outputs = self._of_table(source)
            case exp.Subquery() if isinstance(source.this, exp.Table):
                inside = self._source(source.this)
                outputs = [each for _, outputs in inside for each in outputs]
            case exp.Subquery() | exp.Lateral():
                outputs = self.outputs(source.this)
            case _:
                outputs = ()
        return _renamed(outputs, source.args.get("alias"))

    def _of_table(self, table: exp.Table) -> Outputs:
        known = self.restricted.get(id(table))
        if known is None:
            cte = common_expression(table, self.relations.dialect)
            if cte is not None:
                return _renamed(self.outputs(cte.this), cte.args.get("alias"))
            known = self.relations.find(parts_of(table)) if table.name else None
            return [Output(each.name) for each in known.columns] if known is not None else ()
        return [
            Output(each.name, f"{known.qualified_name}.{each.name}" if each.masked else "")
            for each in known.columns
        ]


def _renamed(outputs: Outputs, alias: object) -> Outputs:
    names = alias.columns if isinstance(alias, exp.TableAlias) else ()
    if not names:
        return outputs
    given = [each.name for each in names]
    return [
        Output(given[at] if at < len(given) else each.name, each.masked)
        for at, each in enumerate(outputs)
    ]
