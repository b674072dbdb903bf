"""Two figures of the same things, side by side, and what their correlation says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from adapters.models.offline.form.frame import NotUnderstood
from adapters.models.offline.form.sqltext import column_of, table_of
from adapters.models.offline.form.world import World
from adapters.models.offline.reading.lemmas import plural
from adapters.models.offline.reading.periods import RECURRING, Grain
from adapters.models.offline.reading.tokens import tokenize
from adapters.models.offline.sketch.sketch import Bucket
from adapters.models.offline.study.churn import CHURNED, UNIT, Churn, churn_in
from adapters.models.offline.study.figures import Figure, figure_of, for_each
from adapters.models.offline.study.phrases import Pair, is_churn
from adapters.models.offline.world.schema import Column, Table

_GRAINS = {grain.value: grain for grain in Grain if grain not in RECURRING}
_SURE = 0.6
NO_CHURN = (
    "I found nothing here that says who left: no date such as ended_on or cancelled_at, no state"
    " such as churned, and no flag such as is_active."
)


@dataclass(frozen=True, slots=True)
class Joint:
    """A statement with a row for each thing compared, and the names of its two figures.

    `unit` is what a row is, in words; `notes` are the assumptions.
    """

    sql: str
    x: str
    y: str
    first: str
    second: str
    unit: str
    filters: tuple[str, ...]
    notes: tuple[str, ...]


def joint_of(pair: Pair, world: World) -> Joint:
    """Write the statement that a correlation is computed of.

    Raises:
        NotUnderstood: a figure is unknown, or the two have nothing in common.
    """
    one, other = pair.first, pair.second
    if is_churn(other) and not is_churn(one):
        one, other = other, one
    if is_churn(one):
        return _with_churn(other, pair, world)
    first, second = figure_of(one, pair.tail, world), figure_of(other, pair.tail, world)
    if not pair.unit and first.is_plain and second.is_plain and first.table is second.table:
        return _of_rows(first, second, world)
    return _of_units(first, second, pair.unit, world)


def _of_rows(first: Figure, second: Figure, world: World) -> Joint:
    """Compare two columns of one table, row by row."""
    query = second.way.query.copy()
    x, y = _names(first, second)
    query.set("expressions", [])
    query = query.select(
        *(exp.alias_(_value(figure), name) for figure, name in ((first, x), (second, y)))
    )
    query.set("order", None)
    return _joint(query, (first, second), (x, y), first.table.label, (), world)


def _value(figure: Figure) -> exp.Expr:
    if figure.column is None:
        raise NotUnderstood(f"I found no figures called {figure.words!r}.")
    return column_of(figure.column)


def _of_units(first: Figure, second: Figure, said: str, world: World) -> Joint:
    by = _unit(said, (first, second), world)
    x, y = _names(first, second)
    if isinstance(by, Table):
        key = by.key[0]
        query = exp.select(exp.alias_(column_of(key), UNIT)).from_(table_of(by))
        for figure, name in ((first, x), (second, y)):
            query = _joined(query, figure, key, column_of(key), name, world)
        notes = tuple(_zeros((first, second), by.label))
        return _joint(query, (first, second), (x, y), by.label, notes, world)
    one, other = (for_each(figure, by, world) for figure in (first, second))
    query = (
        exp.select(_column("a", one, 1).as_(x), _column("b", other, 1).as_(y))
        .from_(one.subquery("a"))
        .join(
            other.subquery("b"),
            on=exp.EQ(this=_column("a", one, 0), expression=_column("b", other, 0)),
        )
    )
    unit = by.grain.value if isinstance(by, Bucket) else by.label
    notes = (f"each {unit} counts once, where it has both figures",)
    return _joint(query, (first, second), (x, y), unit, notes, world)


def _with_churn(other: str, pair: Pair, world: World) -> Joint:
    churn = churn_in(world.schema)
    if churn is None:
        raise NotUnderstood(NO_CHURN)
    figure = figure_of(other, pair.tail, world)
    query = beside_churn(churn, figure, world)
    notes = (churn.assumption(figure.period), *_zeros((figure,), churn.unit.label))
    return Joint(
        sql=query.sql(dialect=world.dialect, pretty=True),
        x=CHURNED,
        y=figure.name,
        first="churn",
        second=figure.words,
        unit=churn.unit.label,
        filters=figure.filters,
        notes=notes,
    )


def beside_churn(churn: Churn, figure: Figure, world: World) -> exp.Select:
    """Return each unit that could leave, whether it did, and its figure."""
    key = churn.unit.key[0] if churn.unit is not churn.table else churn.key
    units = churn.units(figure.period, world.dialect)
    query = exp.select(exp.column(UNIT, "units"), exp.column(CHURNED, "units"))
    query = query.from_(units.subquery("units"))
    return _joined(query, figure, key, exp.column(UNIT, "units"), figure.name, world)


def _joined(
    query: exp.Select, figure: Figure, key: Column, left: exp.Expr, name: str, world: World
) -> exp.Select:
    """Join a figure to the units; where it adds up, none is 0."""
    of_each = for_each(figure, key, world)
    alias = f"of_{name}"
    value = _column(alias, of_each, 1)
    value = exp.func("COALESCE", value, exp.Literal.number(0)) if figure.adds_up else value
    on = exp.EQ(this=left.copy(), expression=_column(alias, of_each, 0))
    joined = query.join(of_each.subquery(alias), on=on, join_type="LEFT")
    return joined.select(exp.alias_(value, name))


def _column(table: str, query: exp.Query, at: int) -> exp.Column:
    name = query.selects[at].alias_or_name
    quoted = not (name.isidentifier() and name.islower())
    return exp.column(exp.to_identifier(name, quoted=quoted), table)


def _unit(said: str, figures: tuple[Figure, Figure], world: World) -> Table | Column | Bucket:
    """Return what the figures are compared over: what was said, else what both belong to."""
    if said.lower() in _GRAINS:
        return Bucket(_GRAINS[said.lower()])
    if said:
        found = [m for m in world.lexicon.meanings(tokenize(said)) if m.score >= _SURE]
        for meaning in found:
            if meaning.column is None and len(meaning.table.key) == 1:
                return meaning.table
            if meaning.column is not None and not meaning.column.is_measure:
                return meaning.column
        raise NotUnderstood(f"I found nothing here for {said!r}.")
    near = sorted(_common(figures, world), key=lambda each: (each[0], each[1]))
    if not near:
        return Bucket(Grain.MONTH)
    return near[0][2]


def _common(figures: tuple[Figure, Figure], world: World) -> Iterator[tuple[float, str, Table]]:
    """Return the tables that rows of both belong to, with how far they are."""
    for table in world.schema.tables:
        if len(table.key) != 1 or any(f.column is None and f.table is table for f in figures):
            continue
        ways = [world.joins.path([figure.table.name], table.name) for figure in figures]
        if all(way is not None and all(join.to_one for join in way) for way in ways):
            yield sum(join.cost for way in ways if way for join in way), table.name, table


def _names(first: Figure, second: Figure) -> tuple[str, str]:
    return first.name, second.name if second.name != first.name else f"{second.name}_2"


def _zeros(figures: tuple[Figure, ...], unit: str) -> Iterator[str]:
    added = [figure.words for figure in figures if figure.adds_up]
    if added:
        yield f"{plural(unit)} without {' or '.join(added)} count with 0"


def _joint(
    query: exp.Query,
    figures: tuple[Figure, Figure],
    names: tuple[str, str],
    unit: str,
    notes: tuple[str, ...],
    world: World,
) -> Joint:
    first, second = figures
    return Joint(
        sql=query.sql(dialect=world.dialect, pretty=True),
        x=names[0],
        y=names[1],
        first=first.words,
        second=second.words,
        unit=unit,
        filters=tuple(dict.fromkeys((*first.filters, *second.filters))),
        notes=notes,
    )


def told(joint: Joint, r: float, n: int, p: float) -> str:
    """Say what a correlation means, with its figures."""
    chance = "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
    figures = f"Pearson r = {r:.3f}, n = {n:,} {plural(joint.unit)}, {chance}"
    where = f" ({'; '.join(joint.filters)})" if joint.filters else ""
    names = f"{joint.first} and {joint.second}"
    if p >= 0.05:
        return f"No clear correlation between {names}{where}: {figures}."
    strength = "weak" if abs(r) < 0.3 else "moderate" if abs(r) < 0.5 else "strong"
    sign = "positive" if r > 0 else "negative"
    return (
        f"A {strength} {sign} correlation between {names}{where}: {figures}. It does not say that"
        " one causes the other."
    )
