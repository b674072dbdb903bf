"""Reading tables in tests."""

from core.domain.table import Cell, Table


def pairs(table: Table, key: str, value: str) -> dict[Cell, Cell]:
    """Return one column by another, whose cells all differ."""
    keys = table.values(key)
    assert len(set(keys)) == len(keys), f"{key} repeats"
    return dict(zip(keys, table.values(value), strict=True))


def record(table: Table) -> dict[str, Cell]:
    """Return the only row by the names of its columns."""
    [row] = table.rows
    return dict(zip(table.names, row, strict=True))
