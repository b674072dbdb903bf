"""The frame around every chart: title, what is measured, legend, notes; the plot lies between."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from adapters.charts import fonts
from adapters.charts.page import Box, Page, Stroke
from adapters.charts.theme import (
    LABEL,
    NOTE,
    PAD,
    PLOT_HEIGHT,
    SUBTITLE,
    TITLE,
    TextStyle,
    width,
)

_SWATCH = 11.0
_MOST_TITLE_LINES = 3
_MOST_NOTES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class LegendKey:
    """One entry of a legend; `line` shows a stroke, else a square."""

    name: str
    color: str
    line: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """The words around a plot; an empty part takes no room."""

    title: str
    subtitle: str = ""
    legend: tuple[LegendKey, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """What the plot leaves free on its sides for the names of its axes, in px."""

    left: float = 0.0
    right: float = 0.0
    bottom: float = 0.0


def open_page(
    heading: Heading, room: Room, *, plot_height: float = PLOT_HEIGHT
) -> tuple[Page, Box]:
    """Return a page with its frame drawn, and the box for the plot."""
    title = _lines(heading.title, TITLE, at_most=_MOST_TITLE_LINES)
    notes = list(_note_lines(heading.notes))
    rows = list(_legend_rows(heading.legend))
    subtitle = _lines(heading.subtitle, SUBTITLE, at_most=2)
    top = _below_heading(title, subtitle, rows)
    bottom = top + plot_height
    below = room.bottom + (len(notes) * NOTE.line_height + 10 if notes else 0)
    page = Page(bottom + below + PAD * 0.75)
    _draw_heading(page, title, subtitle, rows)
    for at, note in enumerate(reversed(notes)):
        page.words(note, (PAD, page.height - PAD * 0.75 - at * NOTE.line_height), NOTE)
    return page, Box(PAD + room.left, top, width() - PAD - room.right, bottom)


def _lines(words: str, style: TextStyle, *, at_most: int) -> tuple[str, ...]:
    return fonts.wrapped(words, style, within=width() - 2 * PAD, at_most=at_most) if words else ()


def _below_heading(
    title: Sequence[str], subtitle: Sequence[str], rows: Sequence[Sequence[tuple[float, LegendKey]]]
) -> float:
    height = PAD + len(title) * TITLE.line_height
    height += len(subtitle) * SUBTITLE.line_height
    return height + len(rows) * _ROW + 18


_ROW = LABEL.line_height + 5


def _draw_heading(
    page: Page,
    title: Sequence[str],
    subtitle: Sequence[str],
    rows: Sequence[Sequence[tuple[float, LegendKey]]],
) -> None:
    y = PAD - 4.0
    for line in title:
        y += TITLE.line_height
        page.words(line, (PAD, y - 6), TITLE)
    for line in subtitle:
        y += SUBTITLE.line_height
        page.words(line, (PAD, y), SUBTITLE)
    for row in rows:
        y += _ROW
        for x, key in row:
            _draw_key(page, x, y + 1, key)


def _draw_key(page: Page, x: float, y: float, key: LegendKey) -> None:
    middle = y - LABEL.size * 0.36
    if key.line:
        page.line([(x, middle), (x + _SWATCH + 3, middle)], Stroke(color=key.color, width=2.6))
    else:
        half = _SWATCH / 2
        page.boxes([Box(x, middle - half, x + _SWATCH, middle + half)], key.color)
    page.words_beside(key.name, (x + _SWATCH + 7, middle), LABEL, "start")


def _legend_rows(keys: Sequence[LegendKey]) -> Iterator[list[tuple[float, LegendKey]]]:
    row, x = list[tuple[float, LegendKey]](), PAD
    for key in keys:
        taken = _SWATCH + 7 + fonts.width(key.name, LABEL)
        if row and x + taken > width() - PAD:
            yield row
            row, x = [], PAD
        row.append((x, key))
        x += taken + 18
    if row:
        yield row


def _note_lines(notes: Sequence[str]) -> Iterator[str]:
    for note in notes[:_MOST_NOTES]:
        yield from _lines(note, NOTE, at_most=2)
