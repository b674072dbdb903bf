"""What every Warehouse makes of each kind of value: it arrives exactly."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from core.ports.warehouse import Warehouse
from tests.kit.unguarded import unguarded

KINDS = frozenset(
    {"decimal", "long decimal", "whole number", "date", "moment", "time", "interval", "identifier"}
    | {"bytes", "json", "true", "infinity", "minus infinity", "not a number", "unicode", "null"}
)


@dataclass(frozen=True, slots=True)
class Value:
    """A value in an engine's SQL, and the cell that it has to become."""

    sql: str
    cell: object


class WarehouseValues:
    """A part of the contract of a warehouse.

    `values` has each of KINDS; None stands for one that the engine has not.
    """

    values: ClassVar[Mapping[str, Value | None]]

    async def test_every_kind_of_value_arrives_as_it_is(self, warehouse: Warehouse):
        there = {kind: value for kind, value in self.values.items() if value is not None}
        columns = ", ".join(f"{value.sql} AS v{at}" for at, value in enumerate(there.values()))

        table = await warehouse.fetch(unguarded(f"SELECT {columns}", warehouse.dialect), max_rows=1)

        assert {*self.values} == KINDS
        [cells] = table.rows
        for (kind, value), cell in zip(there.items(), cells, strict=True):
            assert isinstance(cell, type(value.cell)), kind
            assert cell == value.cell or (_is_nan(cell) and _is_nan(value.cell)), kind


def _is_nan(cell: object) -> bool:
    return isinstance(cell, float) and math.isnan(cell)
