"""What PostgreSQL's values are here: exact, and of the few kinds that a table may hold."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import date, time, timedelta
from decimal import Decimal
from typing import cast
from uuid import UUID

from adapters.warehouses.postgres.driver import RANGE, RECORD, Attribute, Connection, Range, Record
from core.domain.table import Cell, Row

# Of these types the driver makes cells as they should be; every other value is looked at.
_PLAIN = frozenset(
    {
        *("bool", "int2", "int4", "int8", "oid", "float4", "float8", "numeric", "money"),
        *("text", "varchar", "bpchar", "name", "char", "citext", "uuid", "bytea", "xml"),
        *("date", "time", "timetz", "timestamp", "timestamptz", "interval", "json", "jsonb"),
    }
)
_CELLS = (bool, int, float, Decimal, str, bytes, UUID, date, time, timedelta)
_MONTHS_A_YEAR = 12

Reader = Callable[[Sequence[Record]], list[Row]]


async def set_codecs(connection: Connection) -> None:
    """Have the driver read some types better than it does by itself."""
    for name, decoder in (
        ("json", _from_json),
        ("jsonb", _from_json),
        ("float4", float),
        ("money", _from_money),
        ("char", str),
        ("bit", str),
        ("varbit", str),
        ("inet", str),
        ("cidr", str),
    ):
        await connection.set_type_codec(
            name, schema="pg_catalog", encoder=str, decoder=decoder, format="text"
        )
    await connection.set_type_codec(
        "interval", schema="pg_catalog", encoder=tuple, decoder=_from_interval, format="tuple"
    )


def reader_for(attributes: Sequence[Attribute]) -> Reader:
    """Return what makes rows of the driver's records, given the columns of a result."""
    odd = [at for at, attribute in enumerate(attributes) if attribute.type.name not in _PLAIN]

    def read(records: Sequence[Record]) -> list[Row]:
        if not odd:
            # The whole slice of a record is a tuple, made faster than by iterating.
            return [record[:] for record in records]
        return [_with_cells(record, odd) for record in records]

    return read


def _with_cells(record: Record, odd: Sequence[int]) -> Row:
    cells = [*record]
    for at in odd:
        cells[at] = to_cell(cells[at])
    return tuple(cells)


def to_cell(value: object) -> Cell:
    """Return a value as a cell: what a table cannot hold becomes its text."""
    if isinstance(value, RECORD | Mapping):
        parts = cast("Record", value).items()
        return {str(key): to_cell(part) for key, part in parts}
    if isinstance(value, list | tuple):
        return [to_cell(part) for part in cast("Sequence[object]", value)]
    if isinstance(value, RANGE):
        return _range_text(cast("Range", value))
    if value is None or isinstance(value, _CELLS):
        return value
    return str(value)


def _range_text(value: Range) -> str:
    if value.isempty:
        return "empty"
    lower = "" if value.lower is None else str(value.lower)
    upper = "" if value.upper is None else str(value.upper)
    return f"{'[' if value.lower_inc else '('}{lower},{upper}{']' if value.upper_inc else ')'}"


def _from_json(text: str) -> object:
    return json.loads(text, parse_float=Decimal)


def _from_money(text: str) -> Decimal:
    # The session's monetary locale is "C": a dollar sign, commas, two decimals.
    return Decimal(text.replace("$", "").replace(",", ""))


def _from_interval(parts: tuple[int, int, int]) -> timedelta | str:
    """Keep an interval exact: one with months in it has no fixed length and stays text."""
    months, days, microseconds = parts
    rest = timedelta(days=days, microseconds=microseconds)
    if not months:
        return rest
    years, left = divmod(abs(months), _MONTHS_A_YEAR)
    sign = "-" if months < 0 else ""
    words = [f"{sign}{n} {unit}" for n, unit in ((years, "years"), (left, "months")) if n]
    return " ".join([*words, *([str(rest)] if rest else [])])
