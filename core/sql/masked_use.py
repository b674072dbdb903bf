"""What may be asked of a masked column: to show it, and to count its values.

Everything else would work on stars and give a wrong answer that looks right: a join on them meets
every row, a group by them is one, a look-up finds nobody. This is for honesty alone; the veil is
what keeps the values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NoReturn

from sqlglot import exp

from core.domain.catalog import CatalogTable
from core.sql.growth import constant
from core.sql.masked_flow import Flow, Outputs
from core.sql.relations import Relations
from core.sql.verdict import Refused


def check_uses(
    tree: exp.Expr, relations: Relations, restricted: Mapping[int, CatalogTable]
) -> None:
    """Look at how a statement uses the masked columns of its tables, given by their nodes' ids.

    Raises:
        Refused: it filters, joins, groups by or computes with one.
    """
    flow = Flow(relations, restricted)
    for query in tree.find_all(exp.Select, exp.SetOperation):
        if isinstance(query, exp.Select):
            _check_select(query, flow)
        _check_place(query, flow)


def _check_select(select: exp.Select, flow: Flow) -> None:
    shown: dict[str, str] = {}
    for alias, outputs in flow.sources(select):
        masked = {each.name.casefold(): each.masked for each in outputs if each.masked}
        shown |= masked
        if masked:
            _check_columns(_columns_of(alias, select), masked)
    if shown:
        for join in select.args.get("joins") or ():
            _check_join(join, shown)
        _check_columns(_unqualified(select), _aliases(select, flow))
        _check_positions(select, flow.outputs(select))


def _check_columns(columns: Iterator[exp.Column], masked: Mapping[str, str]) -> None:
    for column in columns:
        name = masked.get(column.name.casefold())
        if name and not _is_only_shown(column):
            _refuse(name)


def _columns_of(alias: str, select: exp.Select) -> Iterator[exp.Column]:
    """Yield the columns that are of this source, as far as their names say so."""
    for column in select.find_all(exp.Column):
        if column.table and column.table.casefold() == alias.casefold():
            yield column
    yield from _unqualified(select)


def _unqualified(select: exp.Select) -> Iterator[exp.Column]:
    for column in select.find_all(exp.Column):
        if not column.table and column.find_ancestor(exp.Select) is select:
            yield column


def _aliases(select: exp.Select, flow: Flow) -> dict[str, str]:
    """Return the masked columns that go by another name, by which some engines group and filter."""
    return {each.name.casefold(): each.masked for each in flow.outputs(select) if each.masked}


def _check_positions(select: exp.Select, outputs: Outputs) -> None:
    order, limit = select.args.get("order"), select.args.get("limit")
    for each in order.expressions if order is not None and limit is not None else ():
        at = constant(each.this)
        if at is not None and 0 < at <= len(outputs) and outputs[int(at) - 1].masked:
            _refuse(outputs[int(at) - 1].masked)


def _check_place(query: exp.Select | exp.SetOperation, flow: Flow) -> None:
    """Look at what is done with the rows of a query that gives masked columns."""
    outputs = flow.outputs(query)
    masked = next((each.masked for each in outputs if each.masked), "")
    if not masked:
        return
    compares = isinstance(query, exp.Except | exp.Intersect)
    folds = bool(query.args.get("distinct")) and all(each.masked for each in outputs)
    if compares or folds or not _is_shown_whole(query):
        _refuse(masked)


def _is_shown_whole(query: exp.Expr) -> bool:
    node, above = query, query.parent
    while isinstance(above, exp.Subquery | exp.SetOperation):
        node, above = above, above.parent
    if isinstance(above, exp.In | exp.Any | exp.All):
        return False
    is_value = not isinstance(above, exp.From | exp.Join | exp.Lateral | exp.CTE | exp.Exists)
    return not (is_value and isinstance(node, exp.Subquery)) or _is_only_shown(node)


def _is_only_shown(value: exp.Expr) -> bool:
    node = value
    above = node.parent
    while isinstance(above, exp.Paren | exp.Alias | exp.Ordered | exp.Order):
        node, above = above, above.parent
    match above:
        case exp.Select():
            # Ordered by stars, the first few rows are any rows.
            return node.arg_key == "expressions" or (
                node.arg_key == "order" and above.args.get("limit") is None
            )
        case exp.Count() | exp.Array():
            return True
        case exp.Is():
            return isinstance(above.expression, exp.Null)
        case _:
            return above is None


def _check_join(join: exp.Expr, masked: Mapping[str, str]) -> None:
    for each in join.args.get("using") or ():
        name = masked.get(each.name.casefold())
        if name:
            _refuse(name)
    if join.text("method").upper() == "NATURAL":
        _refuse(next(iter(masked.values())))


def _refuse(column: str) -> NoReturn:
    raise Refused(
        "masked",
        f"{column} is masked here: it can be shown and its values counted, "
        "but not filtered, joined, grouped or computed with. Use another column, or say that this "
        "cannot be told.",
    )
