"""How a result wants to be shown, and what was made of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.domain.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class LineChart:
    """`y` over `x`, one line for each value of `series`; several `y` are several lines.

    `complete` is a column that is false where the period of `x` is not over yet.
    """

    x: str
    y: str | tuple[str, ...]
    series: str = ""
    complete: str = ""

    @property
    def columns(self) -> frozenset[str]:
        return _named(self.x, self.y, self.series, self.complete)


@dataclass(frozen=True, slots=True, kw_only=True)
class BarChart:
    """`y` for each `x`; with `series` side by side or, `stacked`, one on the other.

    `complete` is a column that is false where the period of `x` is not over yet.
    """

    x: str
    y: str | tuple[str, ...]
    series: str = ""
    stacked: bool = False
    horizontal: bool = False
    complete: str = ""

    @property
    def columns(self) -> frozenset[str]:
        return _named(self.x, self.y, self.series, self.complete)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScatterChart:
    """One point a row; `label` names the points."""

    x: str
    y: str
    label: str = ""

    @property
    def columns(self) -> frozenset[str]:
        return _named(self.x, self.y, self.label)


@dataclass(frozen=True, slots=True, kw_only=True)
class Histogram:
    """Bins that a query counted: `lower` and `upper` edge (upper excluded), `count` of rows."""

    lower: str
    upper: str
    count: str

    @property
    def columns(self) -> frozenset[str]:
        return _named(self.lower, self.upper, self.count)


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatMap:
    """`value` as a shade for each pair of `x` and `y`.

    Of a cross table, which has a column for each `x`, these are the `value`s, and `x` is empty.
    """

    x: str
    y: str
    value: str | tuple[str, ...]

    @property
    def columns(self) -> frozenset[str]:
        return _named(self.x, self.y, self.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A table; the surface chooses a chart beside it when its columns allow one."""

    @property
    def columns(self) -> frozenset[str]:
        return frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """A few figures by name, shown as a small table."""

    @property
    def columns(self) -> frozenset[str]:
        return frozenset()


ChartSpec = LineChart | BarChart | ScatterChart | Histogram | HeatMap
Declaration = ChartSpec | Sheet | Stats


WIDE, NARROW = 720.0, 400.0  # px


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """What a chart renderer draws: the title says the finding, the table holds the figures.

    Letters have the same size on every width, so that what is drawn NARROW is read on a phone.
    """

    spec: ChartSpec
    title: str
    table: Table
    alt_text: str = ""
    notes: tuple[str, ...] = field(default=())
    width: float = WIDE


def _named(*names: str | tuple[str, ...]) -> frozenset[str]:
    flat = (name for names_ in names for name in ((names_,) if isinstance(names_, str) else names_))
    return frozenset(name for name in flat if name)
