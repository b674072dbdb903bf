"""Days and hours cut out of moments that have a time zone, without saying which one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp

from core.reviewer.ran import Ran, called
from core.reviewer.remark import Remark

_ZONED = re.compile(r"timestamptz|with time zone|timestamp_tz|datetimeoffset|timestamp_ltz")
_CUTS = frozenset({"date_trunc", "timestamp_trunc", "extract", "date_part", "to_char", "date"})


def zone_of_days(ran: Ran) -> Iterator[Remark]:
    """Find periods of zoned moments that begin whenever the database's own zone says."""
    if not any(_is_zoned(column.type) for table in ran.catalog.tables for column in table.columns):
        return
    seen = set[str]()
    for column in ran.nodes(exp.Column):
        above = column.parent
        if above is None or not (called(above) in _CUTS or _to_day(above)):
            continue
        stored = ran.stored(column)
        if stored and _is_zoned(stored.column.type) and stored.column.name not in seen:
            seen.add(stored.column.name)
            yield Remark(
                f"The periods of {stored.column.name} begin and end in the database's own time"
                " zone; AT TIME ZONE would say which one is meant."
            )


def _is_zoned(type_: str) -> bool:
    return _ZONED.search(type_.casefold()) is not None


def _to_day(node: exp.Expr) -> bool:
    return isinstance(node, exp.Cast) and node.to.is_type(exp.DataType.Type.DATE)
