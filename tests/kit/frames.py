"""What pandas makes of the shop's frames, as plain Python values."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, Literal, cast

import pandas as pd

Rule = Literal["D", "W-SUN", "M", "Q-DEC", "Y-DEC"]
How = Literal["sum", "mean", "count", "nunique", "min", "max", "size", "median"]


def by_period(
    frame: pd.DataFrame, time: str, value: str, *, rule: Rule = "M", how: How = "sum"
) -> dict[date, float]:
    """Aggregate a column by period; NULLs do not count, and sums of nothing but NULL are None."""
    times = cast("pd.Series[pd.Timestamp]", frame[time])
    first_days = [each.to_period(rule).start_time.date() for each in times]
    return by_group(frame.assign(_period=first_days), "_period", value, how=how)


def by_group(frame: pd.DataFrame, by: str | Sequence[str], value: str, *, how: How = "sum") -> Any:
    """Aggregate a column by one or several others, NULL among the groups, as a dict."""
    keys = by if isinstance(by, str) else list(by)
    groups = frame.groupby(keys, dropna=False)[value]
    figures: Any = groups.sum(min_count=1) if how == "sum" else groups.agg(how)
    return {_key(key): _value(figure) for key, figure in figures.items()}


def chosen(frame: pd.DataFrame, query: str) -> pd.DataFrame:
    """Return the rows for which a condition in pandas' words holds."""
    return frame.query(query)


def _key(key: object) -> object:
    if isinstance(key, tuple):
        return tuple(_key(each) for each in cast("tuple[object, ...]", key))
    return None if pd.isna(cast("Any", key)) else key


def _value(figure: Any) -> float | None:
    return None if pd.isna(figure) else float(figure)
