"""The shop as statements, for servers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import datetime

import numpy as np
import pandas as pd
import sqlglot
from sqlglot import exp

from core.domain.query import Dialect
from tests.kit.dataset import SCHEMA, build_dataset

_ROWS_A_STATEMENT = 500


def as_script(dialect: Dialect, seed: int = 7) -> Iterator[str]:
    """Yield the statements that make and fill the shop."""
    yield ";\n".join(sqlglot.transpile(SCHEMA, read="postgres", write=dialect))
    for name, frame in build_dataset(seed).items():
        cells = list(frame.itertuples(index=False, name=None))
        for start in range(0, len(cells), _ROWS_A_STATEMENT):
            yield _insert(name, cells[start : start + _ROWS_A_STATEMENT], dialect)


def _insert(name: str, rows: list[tuple[object, ...]], dialect: Dialect) -> str:
    table = exp.to_identifier(name, quoted=True).sql(dialect=dialect)
    listed = ", ".join(f"({', '.join(_literal(cell, dialect) for cell in row)})" for row in rows)
    return f"INSERT INTO {table} VALUES {listed}"


def _literal(cell: object, dialect: Dialect) -> str:
    match cell:
        case None:
            return "NULL"
        case float() if math.isnan(cell):
            return "NULL"
        case pd.Timestamp() | datetime():
            return f"'{cell:%Y-%m-%d %H:%M:%S}'"
        case str():
            return exp.Literal.string(cell).sql(dialect=dialect)
        case np.bool_():
            return str(bool(cell))
        case _:
            return "NULL" if cell is pd.NA else str(cell)
