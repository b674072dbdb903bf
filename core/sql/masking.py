"""Reads restricted tables through what may be seen of them, wherever a statement names them.

Each mention of such a table becomes a derived table that has its visible columns only, the masked
ones as stars. Whatever is written around it (aliases, stars, joins, filters, CTEs, expressions over
whole rows) works on that, so that no spelling gets at what is behind it. The masks are put in
before a statement is rendered, and what was rendered is judged once more.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from core.domain.catalog import CatalogColumn, CatalogTable
from core.domain.query import Dialect
from core.domain.rights import MASK
from core.sql.masked_use import check_uses
from core.sql.relations import Relations, parts_of
from core.sql.scopes import folded, is_common
from core.sql.verdict import Refused

# What belongs to the table itself goes into the derived table with it, the rest stays around it.
_INSIDE = (
    "this",
    "db",
    "catalog",
    "only",
    "partition",
    "system_time",
    "version",
    "when",
    "hints",
    "sample",
)
_AROUND = ("alias", "joins", "laterals", "pivots")


def veil(tree: exp.Expr, relations: Relations) -> None:
    """Put derived tables in the place of restricted ones; the tree is changed.

    Raises:
        Refused: a name may mean another table than the catalog's, lists what the database has, or a
            masked column is used for more than showing it.
    """
    found = list(_mentions(tree, relations))
    _check_names_of_with(tree, relations)
    restricted = [(table, known) for table, known in found if known.restricted]
    veils = [(table, known) for table, known in restricted if not _is_veiled(table, known)]
    check_uses(tree, relations, {id(table): known for table, known in veils})
    _shorten_qualifiers(tree, {_place(table) for table, _ in veils})
    for table, known in veils:
        table.replace(_derived(table, known))


def _mentions(tree: exp.Expr, relations: Relations) -> Iterator[tuple[exp.Table, CatalogTable]]:
    """Yield every table of the catalog that a statement names, each time it does."""
    for table in tree.find_all(exp.Table):
        if not isinstance(table.this, exp.Identifier) or is_common(table, relations.dialect):
            continue
        known = relations.find(parts_of(table))
        if known is None:
            raise Refused(
                "relation.system",
                f"{table.name!r} lists more than may be seen here. Use list_tables and get_schema.",
            )
        if not _is_surely(table, known, relations):
            raise Refused(
                "relation.unknown",
                f"There is no table {table.name!r} here. Write it as the catalog does: "
                f"{known.qualified_name}.",
            )
        yield table, known


def _check_names_of_with(tree: exp.Expr, relations: Relations) -> None:
    """Keep names of WITH apart from restricted tables, whose place they might take or not take."""
    for cte in tree.find_all(exp.CTE):
        known = relations.find((cte.alias,))
        if known is not None and known.restricted:
            raise Refused(
                "masked", f"Give WITH {cte.alias} another name: a table here is called like that."
            )


def _is_surely(table: exp.Table, known: CatalogTable, relations: Relations) -> bool:
    """Say whether the engine reads this very table: there may be others that differ in case."""
    if not _is_same(table.this, known.name, relations.dialect):
        return False
    schema = table.args.get("db")
    return schema is None or _is_same(
        schema, _schema_of(known, schema, relations), relations.dialect
    )


def _schema_of(known: CatalogTable, written: exp.Expr, relations: Relations) -> str:
    if known.schema:
        return known.schema.split(".")[-1]
    own = relations.catalog.default_schema if relations.catalog else ""
    # The usual names of default schemas are such as need no quotes.
    return own or folded(exp.to_identifier(written.name, quoted=False), relations.dialect)


def _is_same(part: object, name: str, dialect: Dialect) -> bool:
    meant = folded(part, dialect)
    return meant == name or (dialect in _CASE_BLIND and meant.lower() == name.lower())


_CASE_BLIND = frozenset(
    {
        Dialect.SQLITE,
        Dialect.DUCKDB,
        Dialect.TSQL,
        Dialect.DATABRICKS,
        Dialect.SPARK,
        Dialect.TRINO,
    }
)


def _derived(table: exp.Table, known: CatalogTable) -> exp.Subquery:
    odd = [name for name, value in table.args.items() if value and name not in _INSIDE + _AROUND]
    if odd:
        raise Refused("masked", f"Write {known.qualified_name} in FROM by its name alone.")
    around = {name: table.args[name] for name in _AROUND if table.args.get(name)}
    alias = around.pop("alias", None) or exp.TableAlias(this=table.this.copy())
    return exp.Subquery(this=_visible(table, known), alias=alias, **around)


def _visible(table: exp.Table, known: CatalogTable) -> exp.Select:
    bare = exp.Table(**{name: table.args[name] for name in _INSIDE if table.args.get(name)})
    columns = [_shown(column) for column in known.columns]
    return exp.select(*columns, copy=False).from_(bare.copy(), copy=False)


def _shown(column: CatalogColumn) -> exp.Expr:
    name = exp.column(exp.to_identifier(column.name, quoted=True))
    if not column.masked:
        return name
    masked = exp.Case(
        ifs=[exp.If(this=exp.Is(this=name, expression=exp.Null()), true=exp.Null())],
        default=exp.Literal.string(MASK),
    )
    return exp.alias_(masked, exp.to_identifier(column.name, quoted=True), copy=False)


def _is_veiled(table: exp.Table, known: CatalogTable) -> bool:
    """Recognise what this module has written: statements that ran are shown, and asked again."""
    select = table.find_ancestor(exp.Select)
    if select is None or not isinstance(select.parent, exp.Subquery) or table.args.get("alias"):
        return False
    return select == _visible(table, known)


def _place(table: exp.Table) -> tuple[str, str]:
    return table.db.lower(), table.name.lower()


def _shorten_qualifiers(tree: exp.Expr, places: set[tuple[str, str]]) -> None:
    """Name a column by its table alone where its schema stood before: a derived table has none."""
    for column in tree.find_all(exp.Column):
        if column.db and (column.db.lower(), column.table.lower()) in places:
            column.set("db", None)
            column.set("catalog", None)
