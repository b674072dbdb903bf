"""Lines over time, numbers or names; measures that share no scale get a panel each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from adapters.charts import axes, cells, fonts, numerals
from adapters.charts.axes import Named, Scale, ValueAxis
from adapters.charts.frame import Heading, LegendKey, Room, open_page
from adapters.charts.grid import Grid, NameAxis, NumberAxis, TimeAxis, column_of, read_grid
from adapters.charts.kinds.course import Course, Line, draw_course
from adapters.charts.page import Box, Page
from adapters.charts.theme import (
    LABEL,
    OTHER,
    PAD,
    PLOT_HEIGHT,
    SUBTITLE,
    TextStyle,
    color_at,
    readable,
    width,
)
from core.domain.artifact import Chart, LineChart
from core.domain.table import Table

_MOST_COLORED = 7
_WIDE_ENOUGH = 560.0  # px, for names beside the lines; on less a legend stands above
_MOST_LABELLED = 7
_LABEL_GAP = 18.0
_WIDEST_LABEL = 190.0
_INSET = 12.0  # px between the plot's side and the first point
_SAME_SCALE = 40.0  # measures further apart than this share no axis
_MOST_PANELS = 3
_DOTTED_UP_TO = 40  # with that few points each gets a dot


_NAME = TextStyle(LABEL.size, bold=True)


@dataclass(frozen=True, slots=True)
class _Label:
    name: str
    value: str

    @property
    def width(self) -> float:
        return self.name_width + fonts.width(self.value, LABEL)

    @property
    def name_width(self) -> float:
        return fonts.width(self.name, _NAME) + 6 if self.name else 0.0


def draw_line(spec: LineChart, chart: Chart) -> Page:
    """Draw one panel for each scale, one below the other over the same axis."""
    grid = read_grid(spec, chart.table)
    panels = _panels(_colored(grid))
    labels = _labels(panels)
    value_axes = [_value_axis(panel) for panel in panels]
    room = Room(
        left=max(axis.width for axis in value_axes),
        right=max(label.width for label in labels) + 12 if labels else 0.0,
        bottom=_bottom(grid),
    )
    page, plot = open_page(
        _heading(chart, grid, panels, labelled=bool(labels)),
        room,
        plot_height=PLOT_HEIGHT if len(panels) == 1 else 210.0 * len(panels),
    )
    xs, names = _places(grid, plot)
    for at, (panel, axis) in enumerate(zip(panels, value_axes, strict=True)):
        box = _box_of(plot, at, len(panels))
        _draw_panel(page, box, panel, axis, Course(grid, xs))
        if len(panels) > 1:
            page.words(_measure_words(panel, chart.table), (PAD, box.top - 16), SUBTITLE)
        if labels:
            _draw_labels(page, box, panel, axis)
    axes.draw_names(page, plot, names)
    _draw_axis_title(page, plot, spec, grid, chart.table)
    return page


def _colored(grid: Grid) -> list[Line]:
    groups = list(dict.fromkeys(series.group for series in grid.series))
    if len(groups) == 1:
        return [Line(series, color_at(at)) for at, series in enumerate(grid.series)]
    sizes = {group: sum(s.size for s in grid.series if s.group == group) for group in groups}
    most = _MOST_COLORED if len(groups) <= _MOST_COLORED else _MOST_COLORED - 1
    large = sorted(groups, key=lambda group: -sizes[group])[:most]
    chosen = [group for group in groups if group in large]
    faint = [Line(s, OTHER, faint=True) for s in grid.series if s.group not in chosen]
    bright = [Line(s, color_at(chosen.index(s.group))) for s in grid.series if s.group in chosen]
    return faint + bright


def _panels(lines: Sequence[Line]) -> list[list[Line]]:
    """Part lines so that every panel holds one unit and one order of size."""
    panels = list[list[Line]]()
    for measure in dict.fromkeys(line.series.measure for line in lines):
        mine = [line for line in lines if line.series.measure == measure]
        same = next((panel for panel in panels if _share_a_scale(panel, mine)), None)
        if same is None and len(panels) < _MOST_PANELS:
            panels.append(mine)
        else:
            (same or panels[-1]).extend(mine)
    return panels


def _share_a_scale(one: Sequence[Line], other: Sequence[Line]) -> bool:
    if one[0].series.unit != other[0].series.unit:
        return False
    sizes = [_largest(one), _largest(other)]
    return max(sizes) <= _SAME_SCALE * min(sizes) or min(sizes) == 0


def _largest(lines: Sequence[Line]) -> float:
    return max(abs(value) for line in lines for value in line.series.known)


def _value_axis(panel: Sequence[Line]) -> ValueAxis:
    values = [value for line in panel for value in line.series.known]
    return axes.value_axis(values, panel[0].series.unit, from_zero=False)


# Words


def _heading(
    chart: Chart, grid: Grid, panels: Sequence[Sequence[Line]], *, labelled: bool
) -> Heading:
    lines = panels[0]
    notes = (*grid.notes, *chart.notes)
    if grid.unfinished:
        notes = ("Dashed: the period is not over yet.", *notes)
    faint = any(line.faint for line in lines)
    several = len(lines) > 1 or len(panels) > 1
    return Heading(
        title=chart.title,
        subtitle=_measure_words(lines, chart.table) if len(panels) == 1 else "",
        legend=_legend(panels) if several and (faint or not labelled) else (),
        notes=notes,
    )


def _legend(panels: Sequence[Sequence[Line]]) -> tuple[LegendKey, ...]:
    by_group = len({line.series.group for line in panels[0]}) > 1
    if not by_group and all(len(panel) == 1 for panel in panels):
        return ()
    lines = panels[0] if by_group else [line for panel in panels for line in panel]
    bright = [line for line in lines if not line.faint]
    keys = [LegendKey(name=line.series.name, color=line.color, line=True) for line in bright]
    faint = sum(line.faint for line in lines)
    if faint:
        keys.append(LegendKey(name=f"{faint} others", color=OTHER, line=True))
    return tuple(keys)


def _measure_words(lines: Sequence[Line], table: Table) -> str:
    measures = dict.fromkeys(line.series.measure for line in lines)
    return ", ".join(cells.unit_words(column_of(table, measure)) for measure in measures)


def _labels(panels: Sequence[Sequence[Line]]) -> list[_Label]:
    """Return what is written at the ends of the lines; nothing where it would not fit."""
    bright = [[line for line in panel if not line.faint] for panel in panels]
    most = max(map(len, bright))
    if most > _MOST_LABELLED or any(line.faint for line in panels[0]):
        return []
    if most > 1 and width() < _WIDE_ENOUGH:
        return []
    return [_label(line, alone=len(panel) == 1) for panel in bright for line in panel]


def _label(line: Line, *, alone: bool) -> _Label:
    value = numerals.write(line.series.known[-1], line.series.unit)
    if alone:
        return _Label("", value)
    free = _WIDEST_LABEL - fonts.width(f"  {value}", LABEL)
    return _Label(fonts.shortened(line.series.name, _NAME, within=free), value)


def _draw_labels(page: Page, box: Box, panel: Sequence[Line], axis: ValueAxis) -> None:
    scale = axis.scale(box.bottom, box.top)
    bright = [line for line in panel if not line.faint]
    wanted = [scale(line.series.known[-1]) for line in bright]
    for line, y in zip(bright, spread(wanted, _LABEL_GAP, box.top, box.bottom), strict=True):
        label = _label(line, alone=len(bright) == 1)
        style = replace(_NAME, color=readable(line.color))
        page.words_beside(label.name, (box.right + 8, y), style, "start")
        value_style = replace(style, bold=not label.name)
        page.words_beside(label.value, (box.right + 8 + label.name_width, y), value_style, "start")


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Move places apart to at least `gap`, as little as can be, within `low` and `high`."""
    order = sorted(range(len(wanted)), key=lambda at: wanted[at])
    places = [wanted[at] for at in order]
    for at in range(1, len(places)):
        places[at] = max(places[at], places[at - 1] + gap)
    if places and places[-1] > high:
        places[-1] = high
    for at in range(len(places) - 2, -1, -1):
        places[at] = min(places[at], places[at + 1] - gap)
    shift = max(0.0, low - places[0]) if places else 0.0
    moved = dict(zip(order, (place + shift for place in places), strict=True))
    return [moved[at] for at in range(len(wanted))]


# Places


def _places(grid: Grid, plot: Box) -> tuple[list[float], tuple[Named, ...]]:
    left, right = plot.left + _INSET, plot.right - _INSET
    match grid.axis:
        case TimeAxis(keys, length):
            place = _time_scale(keys, left, right)
            return [place(key) for key in keys], axes.time_names(keys[0], keys[-1], length, place)
        case NumberAxis(keys):
            axis = _number_axis(keys)
            scale = axis.scale(left, right)
            names = tuple(
                Named(scale(mark), (name,))
                for mark, name in zip(axis.marks, axis.names, strict=True)
            )
            return [scale(key) for key in keys], names
        case NameAxis(keys):
            slot = (plot.right - plot.left) / len(keys)
            xs = [plot.left + slot * (at + 0.5) for at in range(len(keys))]
            return xs, axes.slot_names(grid.axis, plot.left, plot.right)


def _time_scale(keys: Sequence[datetime], left: float, right: float) -> Callable[[datetime], float]:
    span = (keys[-1] - keys[0]).total_seconds()
    scale = Scale(0.0, span, left, right)
    return lambda moment: scale((moment - keys[0]).total_seconds())


def _number_axis(keys: Sequence[float]) -> ValueAxis:
    return axes.value_axis(keys, "", from_zero=False, about=7)


def _bottom(grid: Grid) -> float:
    title = 0.0 if isinstance(grid.axis, TimeAxis) else 24.0
    probe = Box(PAD + 60, 0, width() - PAD - 60, 0)
    _, names = _places(grid, probe)
    return axes.height_of(names) + title


def _draw_axis_title(page: Page, plot: Box, spec: LineChart, grid: Grid, table: Table) -> None:
    if isinstance(grid.axis, TimeAxis):
        return
    words = cells.unit_words(column_of(table, spec.x))
    y = plot.bottom + _bottom(grid) - 6
    page.words(words, ((plot.left + plot.right) / 2, y), SUBTITLE, "middle")


def _box_of(plot: Box, at: int, count: int) -> Box:
    if count == 1:
        return plot
    height = plot.height / count
    top = plot.top + at * height
    return Box(plot.left, top + 30, plot.right, top + height - (26 if at < count - 1 else 0))


# Lines


def _draw_panel(
    page: Page, box: Box, panel: Sequence[Line], axis: ValueAxis, course: Course
) -> None:
    axes.draw_value_axis(page, box, axis)
    scale = axis.scale(box.bottom, box.top)
    if axis.marks[0] <= 0 <= axis.marks[-1]:
        axes.draw_baseline(page, (box.left, scale(0)), (box.right, scale(0)))
    few = sum(len(line.series.known) for line in panel) <= _DOTTED_UP_TO
    for line in panel:
        draw_course(page, line, scale, course, dotted=few)
