"""The one theme: sizes in px, which are the same on every width of paper, and colours."""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

RATIO = 2.0  # device pixels for each px: sharp on the screens that people have
PAD = 24.0
PLOT_HEIGHT = 290.0

_paper = ContextVar("paper", default=720.0)

PAPER = "#ffffff"
INK = "#1b2430"
SOFT_INK = "#55606e"
GRID = "#e6e9ed"
BASELINE = "#98a2ae"
OTHER = "#b4bcc6"
EMPTY_CELL = "#f1f3f5"

# Okabe and Ito's colours, which people with any colour vision tell apart, without the yellow that
# white paper swallows, and in an order in which neighbours differ in lightness, too.
PALETTE = ("#0072b2", "#e69f00", "#009e73", "#d55e00", "#56b4e9", "#cc79a7", "#3f4a5a")

SHADES = ("#eef5fa", "#c5dfee", "#8cc1df", "#4a9dca", "#0f76b3", "#055a8c", "#033e63")
BELOW_ZERO = ("#7f3600", "#b85100", "#dd8b45", "#f0c49c", "#f6f4f2")
ABOVE_ZERO = ("#f6f4f2", "#a9cfe6", "#5aa6d1", "#0f76b3", "#04507d")


@dataclass(frozen=True, slots=True)
class TextStyle:
    """How words are set: size in px, weight, colour."""

    size: float
    color: str = INK
    bold: bool = False

    @property
    def line_height(self) -> float:
        return round(self.size * 1.32)


TITLE = TextStyle(20, INK, bold=True)
SUBTITLE = TextStyle(14, SOFT_INK)
LABEL = TextStyle(13.5, INK)
TICK = TextStyle(13, SOFT_INK)
NOTE = TextStyle(12, SOFT_INK)


def width() -> float:
    """Return how wide the paper is that is drawn on now, in px."""
    return _paper.get()


@contextmanager
def on_paper(px: float) -> Generator[None]:
    """Draw what is drawn within on paper of this width."""
    before = _paper.set(px)
    try:
        yield
    finally:
        _paper.reset(before)


def color_at(at: int) -> str:
    """Return the colour of the series with this number; after the last it begins again."""
    return PALETTE[at % len(PALETTE)]


def mix(color: str, with_color: str, share: float) -> str:
    """Return `color` with a share (0 to 1) of another one."""
    pairs = zip(_channels(color), _channels(with_color), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def shade(colors: tuple[str, ...], share: float) -> str:
    """Return the colour at a share (0 to 1) of the way through a scale of colours."""
    place = min(max(share, 0.0), 1.0) * (len(colors) - 1)
    at = min(int(place), len(colors) - 2)
    return mix(colors[at], colors[at + 1], place - at)


def readable(color: str) -> str:
    """Darken a colour until words in it can be read on white (contrast 4.5 to 1)."""
    dark = color
    while 1.05 / (_luminance(dark) + 0.05) < 4.5:
        dark = mix(dark, "#000000", 0.08)
    return dark


def ink_on(color: str) -> str:
    """Return the ink, dark or white, that reads better on this ground."""
    luminance = _luminance(color)
    on_white, on_dark = 1.05 / (luminance + 0.05), (luminance + 0.05) / 0.066
    return PAPER if on_white > on_dark else INK


def _channels(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def _luminance(color: str) -> float:
    red, green, blue = (_linear(channel / 255) for channel in _channels(color))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
