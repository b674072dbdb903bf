"""What may be asked of a masked column: to show it, and to count its values.

Everything else would work on stars and give a wrong answer that looks right: a join on them meets
every row, a group by them is one. This is for honesty alone; the veil is what keeps the values.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NoReturn

from sqlglot import exp

from core.domain.catalog import CatalogTable
from core.sql.verdict import Refused


def check_use(table: exp.Table, known: CatalogTable) -> None:
    """Look at how a select uses the masked columns of a table that it names in FROM.

    Raises:
        Refused: it filters, joins, groups by or computes with one.
    """
    masked = {column.name.casefold(): column.name for column in known.columns if column.masked}
    select = table.find_ancestor(exp.Select)
    if not masked or select is None:
        return
    for join in select.args.get("joins") or ():
        _check_join(join, masked, known)
    for column in _columns_of(table, select):
        name = masked.get(column.name.casefold())
        if name is not None and not _is_only_shown(column):
            _refuse(name, known)


def _columns_of(table: exp.Table, select: exp.Select) -> Iterator[exp.Column]:
    """Yield the columns that are of this table, as far as their names say so."""
    alias = table.alias_or_name.casefold()
    for column in select.find_all(exp.Column):
        if column.table:
            if column.table.casefold() == alias:
                yield column
        elif column.find_ancestor(exp.Select) is select:
            yield column


def _is_only_shown(column: exp.Column) -> bool:
    node: exp.Expr = column
    above = node.parent
    while isinstance(above, exp.Paren | exp.Alias | exp.Ordered | exp.Order):
        node, above = above, above.parent
    match above:
        case exp.Select():
            return node.arg_key in {"expressions", "order"}
        case exp.Count():
            return True
        case exp.Is():
            return isinstance(above.expression, exp.Null)
        case _:
            return above is None


def _check_join(join: exp.Expr, masked: dict[str, str], known: CatalogTable) -> None:
    for each in join.args.get("using") or ():
        name = masked.get(each.name.casefold())
        if name is not None:
            _refuse(name, known)
    if join.text("method").upper() == "NATURAL":
        _refuse(next(iter(masked.values())), known)


def _refuse(name: str, known: CatalogTable) -> NoReturn:
    raise Refused(
        "masked",
        f"{known.qualified_name}.{name} is masked here: it can be shown and its values counted, "
        "but not filtered, joined, grouped or computed with. Use another column, or say that this "
        "cannot be told.",
    )
