"""What is drawn on: one matplotlib figure, in px from its top left corner."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from matplotlib.artist import Artist
from matplotlib.backend_bases import RendererBase
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.transforms import Affine2D

from adapters.charts import fonts
from adapters.charts.theme import GRID, PAPER, RATIO, TextStyle, width

Point = tuple[float, float]
Anchor = Literal["start", "middle", "end"]

_PX_AN_INCH = 100.0
_POINTS_A_PX = 0.72
_FAST = {"compress_level": 1}
_MIDDLE = 0.36  # half the height of a capital letter, as a share of the size


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle; y grows downwards."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def corners(self) -> tuple[Point, Point, Point, Point]:
        return (
            (self.left, self.top),
            (self.right, self.top),
            (self.right, self.bottom),
            (self.left, self.bottom),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Stroke:
    """How a line is drawn; `dashes` are px on and off."""

    color: str
    width: float = 1.0
    dashes: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Dots:
    """How points are drawn: the diameter in px, filled or hollow."""

    color: str
    size: float = 6.0
    alpha: float = 1.0
    hollow: bool = False


@dataclass(frozen=True, slots=True)
class _Words:
    words: str
    at: Point
    style: TextStyle

    @property
    def box(self) -> Box:
        left, baseline = self.at
        right = left + fonts.width(self.words, self.style)
        return Box(left, baseline - self.style.size * 0.75, right, baseline + self.style.size * 0.2)


class _Writing(Artist):
    """All words of a page, drawn in one go: a Text artist each takes three times as long."""

    def __init__(self) -> None:
        super().__init__()
        self.written = list[_Words]()

    def draw(self, renderer: RendererBase) -> None:
        for each in self.written:
            gc = renderer.new_gc()
            gc.set_foreground(to_rgba(each.style.color), isRGBA=True)
            font = fonts.properties(each.style, plain=each.words.isascii())
            x, y = each.at
            renderer.draw_text(gc, x * RATIO, y * RATIO, each.words, font, 0)
            gc.restore()


@dataclass
class Page:
    """Things lie over each other in the order in which they are drawn; words lie on top."""

    height: float
    _figure: Figure = field(init=False)
    _px: Affine2D = field(init=False)
    _writing: _Writing = field(init=False, default_factory=_Writing)
    _depth: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self.height = float(round(self.height))
        size = (width() / _PX_AN_INCH, self.height / _PX_AN_INCH)
        self._figure = Figure(figsize=size, dpi=_PX_AN_INCH * RATIO, facecolor=PAPER)
        self._px = Affine2D().scale(RATIO, -RATIO).translate(0, self.height * RATIO)

    def words(self, words: str, at: Point, style: TextStyle, anchor: Anchor = "start") -> None:
        """Write one line whose baseline is at `at`."""
        shift = {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor]
        if drawn := fonts.drawable(words):
            x = at[0] - shift * fonts.width(drawn, style) if shift else at[0]
            self._writing.written.append(_Words(drawn, (x, at[1]), style))

    def words_beside(self, words: str, at: Point, style: TextStyle, anchor: Anchor) -> None:
        """Write one line whose capitals have their middle at the height of `at`."""
        self.words(words, (at[0], at[1] + style.size * _MIDDLE), style, anchor)

    def line(self, points: Sequence[Point], stroke: Stroke) -> None:
        """Draw one line through points; a NaN parts it."""
        xs, ys = [x for x, _ in points], [y for _, y in points]
        line = Line2D(
            xs,
            ys,
            color=stroke.color,
            linewidth=stroke.width * _POINTS_A_PX,
            solid_capstyle="round",
            solid_joinstyle="round",
            transform=self._px,
        )
        if stroke.dashes:
            on, off = stroke.dashes
            line.set_linestyle((0, (on / stroke.width, off / stroke.width)))
        self._add(line)

    def segments(self, segments: Sequence[tuple[Point, Point]], stroke: Stroke) -> None:
        """Draw straight lines of one kind."""
        width = stroke.width * _POINTS_A_PX
        self._add(
            LineCollection(segments, colors=stroke.color, linewidths=width, transform=self._px)
        )

    def dots(self, points: Sequence[Point], dots: Dots) -> None:
        """Draw points of one kind."""
        self._add(
            Line2D(
                [x for x, _ in points],
                [y for _, y in points],
                linestyle="none",
                marker="o",
                markersize=dots.size * _POINTS_A_PX,
                markerfacecolor=PAPER if dots.hollow else dots.color,
                markeredgecolor=dots.color,
                markeredgewidth=1.4 * _POINTS_A_PX if dots.hollow else 0,
                alpha=dots.alpha,
                transform=self._px,
            )
        )

    def boxes(self, boxes: Sequence[Box], colors: str | Sequence[str]) -> None:
        """Fill rectangles, in one colour or one each."""
        corners = [box.corners for box in boxes]
        self._add(PolyCollection(corners, facecolors=colors, edgecolors="none", transform=self._px))

    def grid(self, segments: Sequence[tuple[Point, Point]]) -> None:
        self.segments(segments, Stroke(color=GRID))

    @property
    def written(self) -> tuple[tuple[str, Box], ...]:
        """Return all words of the page, and where they are."""
        return tuple((each.words, each.box) for each in self._writing.written)

    def png(self) -> bytes:
        """Return the picture, quickly made rather than small."""
        self._add(self._writing)
        buffer = io.BytesIO()
        # matplotlib's stubs leave the parameter of PathLike open.
        self._figure.savefig(buffer, format="png", pil_kwargs=_FAST)  # pyright: ignore[reportUnknownMemberType]
        return buffer.getvalue()

    def _add(self, artist: Artist) -> None:
        self._depth += 1
        artist.set_zorder(self._depth)
        self._figure.add_artist(artist, clip=False)
