"""What SQL Server's plan says about the rows that a query will touch."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from xml.etree import ElementTree

from adapters.warehouses.sql_warehouse import Sizes
from core.domain.query import CostEstimate
from core.domain.table import Row

_NAMESPACE = "{http://schemas.microsoft.com/sqlserver/2004/07/showplan}"
_DECLARATION = re.compile(r"<!DOCTYPE|<!ENTITY", re.IGNORECASE)
_WITHOUT_FIGURES = ("Remote", "Table-valued function", "Sequence Project")


@dataclass(slots=True)
class _Tally:
    rows: float = 0.0
    bytes: float = 0.0
    largest: float = 0.0
    unknown: bool = field(default=False)


def estimate_of(plan: Sequence[Row], _sql: str, _sizes: Sizes) -> CostEstimate:
    """Read what `SET SHOWPLAN_XML ON` makes of a query; only a plain SELECT has a known cost.

    A scan reads its whole table; a step is counted as often as it runs. A remote step, a recursion,
    or statistics that are missing leave the cost unknown.
    """
    text = "".join(str(row[0]) for row in plan)
    try:
        if _DECLARATION.search(text):
            return CostEstimate()
        root = ElementTree.fromstring(text)  # its only source is the server's own planner
    except ElementTree.ParseError:
        return CostEstimate()
    statements = [*root.iter(f"{_NAMESPACE}StmtSimple")]
    if len(statements) != 1 or statements[0].get("StatementType") != "SELECT":
        return CostEstimate()
    if next(root.iter(f"{_NAMESPACE}ColumnsWithNoStatistics"), None) is not None:
        return CostEstimate()
    tally = _Tally()
    for step in root.iter(f"{_NAMESPACE}RelOp"):
        _add(step, tally)
    if tally.unknown:
        return CostEstimate()
    return CostEstimate(
        rows=tally.rows,
        intermediate_rows=tally.largest,
        bytes=tally.bytes,
        units=_figure(statements[0], "StatementSubTreeCost"),
        confidence="estimate",
    )


def _add(step: ElementTree.Element, tally: _Tally) -> None:
    name = step.get("PhysicalOp", "")
    runs = 1 + _figure(step, "EstimateRebinds") + _figure(step, "EstimateRewinds")
    made = _figure(step, "EstimateRows") * runs
    tally.largest = max(tally.largest, made)
    tally.unknown |= name.startswith(_WITHOUT_FIGURES) or _recurses(step)
    if "Scan" in name and "Constant" not in name:
        read = _figure(step, "TableCardinality") or _figure(step, "EstimatedRowsRead")
        _read(tally, (read or _figure(step, "EstimateRows")) * runs, step)
    elif "Seek" in name or "Lookup" in name:
        _read(tally, max(_figure(step, "EstimatedRowsRead") * runs, made), step)


def _read(tally: _Tally, rows: float, step: ElementTree.Element) -> None:
    tally.rows += rows
    tally.bytes += rows * _figure(step, "AvgRowSize")
    tally.largest = max(tally.largest, rows)


def _recurses(step: ElementTree.Element) -> bool:
    """Say whether rows come out of a spool that is filled by what reads it."""
    return step.get("LogicalOp", "") == "Lazy Spool" and any(
        each.get("Stack") in ("1", "true") for each in step.iter(f"{_NAMESPACE}Spool")
    )


def _figure(element: ElementTree.Element, name: str) -> float:
    return float(element.get(name, "0"))
