"""Columns with odd cells, and how every surface writes them."""

from core.domain.answer import ShownColumn, ShownTable
from core.domain.table import ColumnKind, JsonCell
from core.domain.writing import NO_VALUE

Written = tuple[str, ColumnKind, str, tuple[JsonCell, ...], tuple[str, ...]]

M, T, D = ColumnKind.MEASURE, ColumnKind.TIME, ColumnKind.DIMENSION

WRITTEN: tuple[Written, ...] = (
    ("revenue", M, "", (1234.5, 0.001, 0, -61.123, None),
     ("1,234.50", "< 0.01", "0.00", "-61.12", NO_VALUE)),
    ("orders", M, "", (51724, 3, -1200), ("51,724", "3", "-1,200")),
    ("half", M, "", (2.675, 1.005, -2.675), ("2.68", "1.01", "-2.68")),
    ("cost", M, "EUR", (0.004, 12), ("< 0.01", "12.00")),
    ("part", M, "share", (0.3671, 0.0001, -0.0001, 1.5), ("36.7%", "< 0.1%", "> -0.1%", "150.0%")),
    ("discount", M, "share", (0.0231, 0.0225), ("2.31%", "2.25%")),
    ("churn", M, "percent", (30.3571, 28), ("30.4%", "28.0%")),
    ("p_value", M, "", (4.1e-44,), ("< 0.000001",)),
    ("tiny", M, "", (5.369e-7, 0, -4.5e-8), ("5.37e-7", "0.000000", "-4.50e-8")),
    ("small", M, "", (0.1234567, 0.05), ("0.1235", "0.0500")),
    ("huge", M, "", ("16217390000000000", 7400109000000000),
     ("16,217,390,000,000,000", "7,400,109,000,000,000")),
    ("exact", M, "", ("-1234567.12345678901234567", 1.5), ("-1,234,567.12345678901234567", "1.50")),
    ("odd", M, "", ("NaN", "Infinity", 2.5), ("NaN", "Infinity", "2.50")),
    ("order_id", D, "", (100234, 7), ("100234", "7")),
    ("is_open", D, "", (True, False), ("yes", "no")),
    ("note", D, "", ("two\nlines  here", ""), ("two lines here", "")),
    ("year", T, "", (2024, 2025), ("2024", "2025")),
    ("year", T, "", ("2024-01-01", "2025-01-01"), ("2024", "2025")),
    ("quarter", T, "", ("2025-04-01", "2025-10-01"), ("Q2 2025", "Q4 2025")),
    ("order_month", T, "", ("2025-01-01T00:00:00", None), ("Jan 2025", NO_VALUE)),
    ("month", T, "", ("2025-01-01", "2025-01-02"), ("2025-01-01", "2025-01-02")),
    ("month", T, "", ("2025-01", "2025-02"), ("2025-01", "2025-02")),
    ("period", T, "", ("2024-12-01", "2025-01-01", "2025-02-01"),
     ("Dec 2024", "Jan 2025", "Feb 2025")),
    ("opened_on", T, "", ("2019-01-01", "2021-01-01"), ("2019-01-01", "2021-01-01")),
    ("opened_on", T, "", ("2019-01-01", "2021-03-01", "2021-04-01"),
     ("2019-01-01", "2021-03-01", "2021-04-01")),
    ("week", T, "", ("2024-12-30", "2025-01-06"), ("2024-12-30", "2025-01-06")),
    ("at", T, "", ("2025-01-01T00:00:00+00:00", "2025-01-01T14:30:00Z"),
     ("2025-01-01 00:00", "2025-01-01 14:30")),
    ("at", T, "", ("2025-01-01T14:30:05.250+02:00",), ("2025-01-01 14:30:05+02:00",)),
)  # fmt: skip


def table_of(each: Written) -> ShownTable:
    name, kind, unit, cells, _ = each
    return ShownTable(
        columns=(ShownColumn(name=name, kind=kind, unit=unit),),
        rows=tuple((cell,) for cell in cells),
        row_count=len(cells),
    )
