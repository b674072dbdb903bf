"""Joins that repeat the rows of a table whose measure is then added up."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from core.domain.catalog import Catalog, CatalogTable
from core.domain.query import Dialect
from core.sql.scopes import common_expression, is_common

_ADDS_UP = (exp.Sum, exp.Avg, exp.Count)


@dataclass(frozen=True, slots=True)
class FanOut:
    """`total` adds up columns or counts keys of `counted`, whose rows `repeated_by` repeats."""

    total: str
    counted: str
    repeated_by: str


def counted_joins(tree: exp.Expr, catalog: Catalog) -> Iterator[FanOut]:
    """Return each COUNT(*) that is named for a table whose rows the join repeats."""
    for select in tree.find_all(exp.Select):
        tables = dict(_tables(select, catalog))
        if len(tables) < 2:
            continue
        repeats = _repeating(select, tables)
        for projection in select.expressions:
            count = projection.unalias()
            if isinstance(count, exp.Count) and isinstance(count.this, exp.Star):
                said = projection.alias.casefold()
                for alias, table in tables.items():
                    by = _reached(alias, repeats) if table.name.casefold() == said else None
                    if by:
                        yield FanOut(projection.sql(catalog.dialect), table.name, tables[by].name)


def fan_outs(tree: exp.Expr, catalog: Catalog) -> tuple[FanOut, ...]:
    """Return the sums, averages and counts of keys that count rows more than once.

    Only what declared keys prove is reported: a table without a primary key, or a join on anything
    but equal columns says nothing. A subquery is followed where it only joins.
    """
    found = (each for select in tree.find_all(exp.Select) for each in _in_select(select, catalog))
    return tuple(dict.fromkeys(found))


def _in_select(select: exp.Select, catalog: Catalog) -> Iterator[FanOut]:
    joins = _only_joins(select, catalog.dialect) or select
    tables = dict(_tables(joins, catalog))
    repeats = _repeating(joins, tables)
    if not repeats:
        return
    for total in _totals(select):
        columns = list(total.find_all(exp.Column))
        if joins is not select:
            columns = [each for column in columns for each in _behind(column, joins)]
        if isinstance(total, exp.Count) and not _counts_a_key(total, columns, tables):
            continue
        owners = {_owner(column, tables) for column in columns}
        if None in owners or not owners:
            continue
        ways = {alias: _reached(alias, repeats) for alias in owners if alias}
        # Where one of the tables is as fine as the join, as in price * quantity, all is well.
        if all(ways.values()):
            counted, by = next(iter(ways.items()))
            yield FanOut(
                total=total.sql(dialect=catalog.dialect),
                counted=tables[counted].name,
                repeated_by=tables[by].name if by else "",
            )


def _only_joins(select: exp.Select, dialect: Dialect) -> exp.Select | None:
    """Return the one subquery or WITH that a select reads, where it does no more than join."""
    from_ = select.args.get("from_")
    source = from_.this if from_ is not None and not select.args.get("joins") else None
    if isinstance(source, exp.Table):
        common = common_expression(source, dialect)
        source = common.this if common is not None and not common.alias_column_names else None
    inner = source.unnest() if isinstance(source, exp.Subquery) else source
    if not isinstance(inner, exp.Select) or any(inner.args.get(each) for each in _DOES_MORE):
        return None
    makes = any(each.find(exp.AggFunc, exp.Window) for each in inner.expressions)
    return None if makes else inner


_DOES_MORE = ("group", "distinct", "limit", "qualify", "having")


def _behind(column: exp.Column, inner: exp.Select) -> Iterator[exp.Column]:
    """Yield the columns of the inner select that one of the outer select is made of."""
    for projection in inner.expressions:
        if projection.is_star:
            yield exp.column(column.name)
        elif projection.alias_or_name.casefold() == column.name.casefold():
            yield from projection.find_all(exp.Column)
            return


def _counts_a_key(
    count: exp.Count, columns: Sequence[exp.Column], tables: Mapping[str, CatalogTable]
) -> bool:
    if not isinstance(count.this, exp.Column) or len(columns) != 1:
        return False
    owner = _owner(columns[0], tables)
    key = _folded(tables[owner].primary_key) if owner else set[str]()
    return key == {columns[0].name.casefold()}


def _tables(select: exp.Select, catalog: Catalog) -> Iterator[tuple[str, CatalogTable]]:
    source = select.args.get("from_") or select.args.get("from")
    sources = [source.this] if source is not None else []
    sources += [join.this for join in select.args.get("joins") or ()]
    for each in sources:
        if isinstance(each, exp.Table) and not is_common(each, catalog.dialect):
            name = f"{each.db}.{each.name}" if each.db else each.name
            table = catalog.table(name)
            if table is not None:
                yield each.alias_or_name, table


def _totals(select: exp.Select) -> Iterator[exp.AggFunc]:
    """Return what this very SELECT adds up or counts, without what its subqueries do."""
    for projection in select.expressions:
        for each in projection.find_all(*_ADDS_UP):
            is_own = each.find_ancestor(exp.Select) is select
            if is_own and not each.find(exp.Distinct) and not each.find_ancestor(exp.Window):
                yield each


def _owner(column: exp.Column, tables: Mapping[str, CatalogTable]) -> str | None:
    if column.table:
        return column.table if column.table in tables else None
    having = [alias for alias, table in tables.items() if table.column(column.name)]
    return having[0] if len(having) == 1 else None


def _repeating(
    select: exp.Select, tables: Mapping[str, CatalogTable]
) -> Mapping[str, Mapping[str, bool]]:
    """Return for each table the ones joined to it, and whether they may repeat its rows."""
    joined_on: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for (left, one), (right, other) in _equal(select, tables):
        joined_on[left, right].add(one)
        joined_on[right, left].add(other)
    fixed = _fixed(select, tables)
    edges: defaultdict[str, dict[str, bool]] = defaultdict(dict)
    for (start, end), own in joined_on.items():
        other = joined_on[end, start] | fixed[end]
        few = _is_key(tables[start], own) or (
            _is_foreign(tables[start], own) and _is_foreign(tables[end], other)
        )
        edges[start][end] = few and _is_part(tables[end], other)
    return edges


def _fixed(select: exp.Select, tables: Mapping[str, CatalogTable]) -> defaultdict[str, set[str]]:
    """Return for each table the columns that a condition holds at one value."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for condition in _conditions(select):
        if isinstance(condition, exp.EQ) and isinstance(condition.right, exp.Literal):
            side = _side(condition.left, tables)
            if side:
                found[side[0]].add(side[1])
    return found


def _is_key(table: CatalogTable, columns: set[str]) -> bool:
    return any(key <= columns for key in _keys(table))


def _is_part(table: CatalogTable, columns: set[str]) -> bool:
    """Say whether several rows may have the same values, as far as the key is known."""
    return bool(table.primary_key) and not _is_key(table, columns)


def _is_foreign(table: CatalogTable, columns: set[str]) -> bool:
    """Say whether the columns point at another table, whose rows many may point at."""
    return any(_folded(key.columns) <= columns for key in table.foreign_keys)


def _keys(table: CatalogTable) -> list[set[str]]:
    return [_folded(key) for key in (table.primary_key, *table.unique_keys) if key]


def _folded(names: Sequence[str]) -> set[str]:
    return {name.casefold() for name in names}


_Side = tuple[str, str]  # alias of a table, name of a column


def _equal(select: exp.Select, tables: Mapping[str, CatalogTable]) -> Iterator[tuple[_Side, _Side]]:
    """Return the columns of two tables that the joins hold equal."""
    before = list(tables)[:1]
    for join in select.args.get("joins") or ():
        alias = join.this.alias_or_name
        for name in (each.name for each in join.args.get("using") or ()):
            shared = next((each for each in before if tables[each].column(name)), None)
            if shared and alias in tables:
                yield (shared, name.casefold()), (alias, name.casefold())
        before += [alias] if alias in tables else []
    for condition in _conditions(select):
        if isinstance(condition, exp.EQ):
            sides = condition.left, condition.right
            found = [_side(each, tables) for each in sides]
            if found[0] and found[1] and found[0][0] != found[1][0]:
                yield found[0], found[1]


def _side(value: exp.Expr, tables: Mapping[str, CatalogTable]) -> _Side | None:
    if not isinstance(value, exp.Column):
        return None
    owner = _owner(value, tables)
    return (owner, value.name.casefold()) if owner else None


def _conditions(select: exp.Select) -> Iterator[exp.Expr]:
    clauses = [join.args.get("on") for join in select.args.get("joins") or ()]
    where = select.args.get("where")
    for clause in (*clauses, where.this if where else None):
        if isinstance(clause, exp.And):
            yield from clause.flatten()
        elif clause is not None:
            yield clause


def _reached(start: str, edges: Mapping[str, Mapping[str, bool]]) -> str | None:
    """Walk the joins away from a table; return the first that may repeat its rows."""
    seen, waiting = {start}, [start]
    while waiting:
        for end, is_many in edges.get(waiting.pop(), {}).items():
            if end in seen:
                continue
            if is_many:
                return end
            seen.add(end)
            waiting.append(end)
    return None
