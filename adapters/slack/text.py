"""Text as Slack shows it, with nothing in it that Slack would act on.

What comes from data or a model must never call a person, a channel or a link into being.
"""

import re

from adapters.slack import limits

_FENCE = re.compile(r"```[a-z]*\n?(.*?)```", re.DOTALL)
_BOLD = re.compile(r"\*\*(?=\S)([^*\n]+?)(?<=\S)\*\*")
_HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*$", re.MULTILINE)
_BULLET = re.compile(r"^(\s*)[*-]\s+", re.MULTILINE)
_LINK = re.compile(r"!?\[([^\]\n]*)\]\(([^()\s]*)\)")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_NOT_A_SPACE = "\u2060"


def escaped(text: str) -> str:
    """Return the text so that Slack shows every character of it and acts on none."""
    plain = _CONTROL.sub("", text)
    return plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def literal(text: str) -> str:
    """Return text from data for mrkdwn: its stars and backticks mean nothing either."""
    shown = escaped(" ".join(text.split()))
    # A word joiner before a mark keeps Slack from reading it, and nobody sees it.
    return re.sub(r"([*_~`])", rf"{_NOT_A_SPACE}\1{_NOT_A_SPACE}", shown)


def code(text: str) -> str:
    """Return the text as a block of code that it cannot break out of."""
    return f"```\n{escaped(text).replace('```', '`' + _NOT_A_SPACE + '``').strip()}\n```"


def mrkdwn(text: str) -> str:
    """Turn what models write (markdown) into what Slack shows; pipe tables become code."""
    parts = _FENCE.split(text)
    return "".join(
        _prose(part) if at % 2 == 0 else code(part) for at, part in enumerate(parts)
    ).strip()


def cut(text: str, most: int) -> str:
    """Cut to `most` characters, with an ellipsis where something was cut."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def in_sections(text: str, most: int = limits.SECTION) -> list[str]:
    """Part a long text where a reader would: between paragraphs, lines, sentences, words."""
    pieces: list[str] = []
    rest = text.strip()
    while len(rest) > most:
        at = _good_place(rest, most)
        pieces.append(_closed(rest[:at].rstrip()))
        rest = _opened(rest[:at], rest[at:].lstrip("\n"))
    return [*pieces, rest] if rest else pieces


def _prose(text: str) -> str:
    lines = _with_tables_as_code(text)
    return "".join(lines)


def _with_tables_as_code(text: str) -> list[str]:
    found: list[str] = []
    for is_table, block in _runs(text):
        found.append(code(block) + "\n" if is_table else _marked(block))
    return found


def _runs(text: str) -> list[tuple[bool, str]]:
    runs: list[tuple[bool, str]] = []
    for line in text.splitlines(keepends=True):
        is_table = line.lstrip().startswith("|") and line.rstrip().endswith("|")
        if runs and runs[-1][0] == is_table:
            runs[-1] = (is_table, runs[-1][1] + line)
        else:
            runs.append((is_table, line))
    return runs


def _marked(text: str) -> str:
    shown = _LINK.sub(lambda link: f"{link[1]} ({link[2]})" if link[1] else link[2], text)
    shown = _HEADING.sub(r"**\1**", escaped(shown))
    shown = _BULLET.sub(r"\1• ", shown)
    return _BOLD.sub(r"*\1*", shown)


def _good_place(text: str, most: int) -> int:
    # Room for the fence that may have to be closed here.
    room = most - 8
    for mark in ("\n\n", "\n", ". ", " "):
        at = text.rfind(mark, room // 2, room)
        if at > 0:
            return at + len(mark)
    # An entity must not be parted, or its half would be shown.
    at = text.rfind("&", room - 6, room)
    return at if at > 0 else room


def _closed(piece: str) -> str:
    return piece + "\n```" if piece.count("```") % 2 else piece


def _opened(before: str, rest: str) -> str:
    return "```\n" + rest if before.count("```") % 2 else rest
