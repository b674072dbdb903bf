"""Which fonts there are, how wide words are in them, and which letters none of them has."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import pairwise

from matplotlib import font_manager
from matplotlib.font_manager import FontProperties
from matplotlib.ft2font import FT2Font, LoadFlags

from adapters.charts.theme import TextStyle

_WANTED = ("Noto Sans", "Open Sans", "Liberation Sans", "Arial", "Helvetica Neue", "Helvetica")
_ALWAYS_THERE = "DejaVu Sans"  # comes with matplotlib
_FOR_OTHER_SCRIPTS = (
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",
    "Noto Sans SC",
    "Noto Sans JP",
    "Noto Sans KR",
    "Source Han Sans",
    "Source Han Sans SC",
    "WenQuanYi Zen Hei",
    "WenQuanYi Micro Hei",
    "Droid Sans Fallback",
    "PingFang SC",
    "Hiragino Sans",
    "Apple SD Gothic Neo",
    "Microsoft YaHei",
    "Yu Gothic",
    "Malgun Gothic",
    "Noto Sans Arabic",
    "Noto Sans Hebrew",
    "Noto Sans Devanagari",
    "Noto Sans Bengali",
    "Noto Sans Tamil",
    "Noto Sans Thai",
)
_POINTS_A_PX = 0.72  # the page has 100 px to the inch, a point is 1/72 of it
_DPI = 100.0
_BOLD = 600
_BOX = "□"
_PICTOGRAMS = ("So", "Sk", "Cf", "Cn", "Co", "Mn")


@cache
def families() -> tuple[str, ...]:
    """Return the installed families to set words in: the first choice, then what it lacks."""
    regular = {font.name for font in font_manager.fontManager.ttflist if not _is_bold(font.weight)}
    bold = {font.name for font in font_manager.fontManager.ttflist if _is_bold(font.weight)}
    first = next((name for name in _WANTED if name in regular & bold), _ALWAYS_THERE)
    others = (_ALWAYS_THERE, *(name for name in _FOR_OTHER_SCRIPTS if name in regular))
    return tuple(dict.fromkeys((first, *others)))


def _is_bold(weight: str | int) -> bool:
    return weight >= _BOLD if isinstance(weight, int) else weight in {"bold", "heavy", "black"}


@lru_cache(maxsize=256)
def properties(style: TextStyle, *, plain: bool) -> FontProperties:
    """Return the font of a style; `plain` words need the first family only."""
    names = families()[:1] if plain else families()
    weight = "bold" if style.bold else "normal"
    return FontProperties(family=names, weight=weight, size=style.size * _POINTS_A_PX)


@lru_cache(maxsize=4096)
def width(words: str, style: TextStyle) -> float:
    """Return how many px wide words are on one line."""
    drawn = drawable(words)
    font = _font(bold=style.bold, plain=drawn.isascii())
    font.set_size(style.size * _POINTS_A_PX, _DPI * 4)  # large, so that rounding does not add up
    font.set_text(drawn, 0.0, flags=LoadFlags.NO_HINTING)
    return font.get_width_height()[0] / 64 / 4


@cache
def _font(*, bold: bool, plain: bool) -> FT2Font:
    return _opened(families()[:1] if plain else families(), weight="bold" if bold else "normal")


def _opened(names: Sequence[str], *, weight: str) -> FT2Font:
    # matplotlib's stubs leave the parameter of PathLike open.
    paths = [
        font_manager.findfont(FontProperties(family=name, weight=weight))  # pyright: ignore[reportUnknownMemberType]
        for name in names
    ]
    return font_manager.get_font(paths)  # pyright: ignore[reportUnknownMemberType]


@lru_cache(maxsize=4096)
def drawable(words: str) -> str:
    """Return words on one line with letters that the fonts have.

    Emoji that no font has are left out; another letter without a font becomes a box.
    """
    one_line = " ".join(words.split())
    if one_line.isascii() and one_line.isprintable():
        return one_line
    drawn = "".join(_drawable(letter) for letter in one_line)
    return " ".join(drawn.split())


def _drawable(letter: str) -> str:
    if not letter.isprintable():
        return " " if letter.isspace() else ""
    if _has(ord(letter)):
        return letter
    return "" if unicodedata.category(letter) in _PICTOGRAMS else _BOX


def has_all(words: str) -> bool:
    """Say whether nothing of these words becomes a box."""
    return words.isascii() or _BOX in words or _BOX not in drawable(words)


@lru_cache(maxsize=4096)
def _has(code: int) -> bool:
    return any(code in covered for covered in _coverage())


@cache
def _coverage() -> tuple[frozenset[int], ...]:
    fonts = (_opened([name], weight="normal") for name in families())
    return tuple(frozenset(font.get_charmap()) for font in fonts)


def wrapped(words: str, style: TextStyle, *, within: float, at_most: int) -> tuple[str, ...]:
    """Break words into at most so many lines that fit; what does not, ends in an ellipsis."""
    rest, lines = drawable(words), list[str]()
    while rest and len(lines) < at_most - 1:
        line, rest = _first_line(rest, style, within)
        lines.append(line)
    return (*lines, shortened(rest, style, within=within)) if rest or not lines else tuple(lines)


def is_cut(words: str, lines: Sequence[str]) -> bool:
    """Say whether these lines lost letters of the words, or broke within one of them."""
    whole = drawable(words)
    if "".join(lines).replace(" ", "") != whole.replace(" ", ""):
        return True
    return any(_ends_within_a_word(line, other) for line, other in pairwise(lines))


def _ends_within_a_word(line: str, following: str) -> bool:
    return not _may_break(line[-1] if line else " ") and not _is_wide(following[0])


def _first_line(words: str, style: TextStyle, within: float) -> tuple[str, str]:
    if width(words, style) <= within:
        return words, ""
    fitting = len(_longest_start(words, style, within))
    if words[fitting : fitting + 1] == " ":
        return words[:fitting], words[fitting + 1 :]
    breaks = [at + 1 for at in range(fitting) if _may_break(words[at])]
    end = breaks[-1] if breaks else fitting
    return words[:end].rstrip(), words[end:].lstrip()


def _may_break(letter: str) -> bool:
    return letter in " -/\N{EN DASH}" or _is_wide(letter)


def _is_wide(letter: str) -> bool:
    """Say whether a letter is of a script that is written without spaces."""
    return unicodedata.east_asian_width(letter) in {"W", "F"}


def shortened(words: str, style: TextStyle, *, within: float) -> str:
    """Return words, cut with an ellipsis where they are wider than that."""
    whole = drawable(words)
    if width(whole, style) <= within:
        return whole
    return _longest_start(whole, style, within - width("…", style)).rstrip(" ,;:-") + "…"


def _longest_start(words: str, style: TextStyle, within: float) -> str:
    low, high = 1, len(words)
    while low < high:
        middle = (low + high + 1) // 2
        if width(words[:middle], style) <= within:
            low = middle
        else:
            high = middle - 1
    return words[:low]
