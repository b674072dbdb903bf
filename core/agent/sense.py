"""Whether what a model wrote says anything: models fall into loops, and some write only signs."""

from __future__ import annotations

import re
import zlib
from string import ascii_letters, digits

_SHORT = 40  # signs that may stand alone: a smile, a line of a table
_LONG = 2_000
_LOOP = 0.03  # of its size is left of a text that says one thing for ever; of a plain list, 0.1
# What draws lists, tables and headings says nothing for or against.
_DRAWN = set("|-_*#`=:.>~+ \t\n")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_PLAIN = set(ascii_letters + digits)


def without_control(text: str) -> str:
    """Return a text without what no reader can see."""
    return _CONTROL.sub("", text.replace("\r\n", "\n"))


def says_nothing(text: str) -> bool:
    """Whether a text is more signs than words, or the same again and again."""
    return _is_of_signs(text) or _is_a_loop(text)


def _is_of_signs(text: str) -> bool:
    told = [each for each in text if each not in _DRAWN]
    words = sum(each in _PLAIN or each.isalnum() for each in told)
    signs = sum(each.isascii() and each not in _PLAIN for each in told)
    return len(told) >= _SHORT and signs > words


def _is_a_loop(text: str) -> bool:
    if len(text) < _LONG:
        return False
    written = text.encode("utf-8", "replace")
    return len(zlib.compress(written, 1)) < _LOOP * len(written)
