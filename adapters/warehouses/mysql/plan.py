"""What the plan of MySQL or MariaDB says about the rows that a query will touch."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from adapters.warehouses.sql_warehouse import Sizes
from core.domain.query import CostEstimate
from core.domain.table import Row

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]

_WHOLE_TABLE = ("ALL", "index")
_RECURSION = ("recursive_union", "recursive")


@dataclass(slots=True)
class _Tally:
    rows: float = 0.0
    largest: float = 0.0


def estimate_of(plan: Sequence[Row], _sql: str, _sizes: Sizes) -> CostEstimate:
    """Read `EXPLAIN FORMAT=JSON`: the tables of one block are nested loops, in their order.

    A plan that recurses, or that is none, has an unknown cost.
    """
    try:
        [(text,)] = plan
        root: Json = json.loads(str(text))
    except ValueError:
        return CostEstimate()
    if not isinstance(root, dict) or _recurses(root):
        return CostEstimate()
    tally = _Tally()
    for block in _blocks(root):
        _add(block, tally)
    return CostEstimate(
        rows=tally.rows,
        intermediate_rows=tally.largest,
        units=_cost(root),
        confidence="estimate",
    )


def _add(block: Json, tally: _Tally) -> None:
    made = 1.0
    for table in _tables(block):
        rows = _number(table.get("rows_examined_per_scan", table.get("rows")))
        whole = table.get("access_type") in _WHOLE_TABLE
        # A join buffer lets a whole table be read once for many rows before it.
        tally.rows += rows if whole else rows * made
        made *= rows
        tally.largest = max(tally.largest, made)
        made *= _number(table.get("filtered", 100)) / 100


def _blocks(node: Json) -> Iterator[Json]:
    for key, part in _parts(node):
        if key == "query_block":
            yield part
        yield from _blocks(part)


def _tables(node: Json) -> Iterator[dict[str, Json]]:
    """Give the tables of one block in the order in which they are joined."""
    for key, part in _parts(node):
        if key == "table" and isinstance(part, dict):
            yield part
        elif key != "query_block":
            yield from _tables(part)


def _parts(node: Json) -> Iterator[tuple[str, Json]]:
    if isinstance(node, dict):
        yield from node.items()
    elif isinstance(node, list):
        for part in node:
            yield from _parts(part)


def _recurses(node: Json) -> bool:
    return any(key in _RECURSION or _recurses(part) for key, part in _parts(node))


def _cost(root: dict[str, Json]) -> float | None:
    block = root.get("query_block")
    info = block.get("cost_info") if isinstance(block, dict) else None
    cost = info.get("query_cost") if isinstance(info, dict) else None
    return None if cost is None else _number(cost)


def _number(value: Json) -> float:
    return float(value) if isinstance(value, int | float | str) else 0.0
