"""Simple conditions in plain words: "region = Spain", "status in paid, shipped"."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlglot import exp

_LONGEST = 40  # characters of a value
_MOST_VALUES = 4

_SIGNS: dict[type[exp.Expr], str] = {
    exp.EQ: "=",
    exp.NEQ: "is not",
    exp.GT: ">",
    exp.GTE: ">=",
    exp.LT: "<",
    exp.LTE: "<=",
}
_FLIPPED = {"=": "=", "is not": "is not", ">": "<", ">=": "<=", "<": ">", "<=": ">="}

Named = Callable[[exp.Column], str | None]


def words_of(condition: exp.Expr, named: Named, *, may_be_missing: bool) -> str:
    """Say a condition on one column; empty where it has no simple form.

    `named` gives a column's name, or None where nothing may be said of it. `may_be_missing`: an
    empty value may stand for a row that was not found, so that none is told.
    """
    negated = isinstance(condition, exp.Not)
    inner = condition.this if isinstance(condition, exp.Not) else condition
    while isinstance(inner, exp.Paren):
        inner = inner.this
    match inner:
        case exp.Column():
            return _sentence(named, inner, f"= {'false' if negated else 'true'}")
        case exp.In():
            return _sentence(named, inner.this, _among(inner, negated=negated))
        case exp.Is():
            holds = negated == bool(inner.args.get("negate"))
            told = "" if may_be_missing else _is(inner, holds=holds)
            return _sentence(named, inner.this, told)
        case exp.Between() if not negated:
            values = _values([inner.args["low"], inner.args["high"]])
            return _sentence(named, inner.this, f"from {' to '.join(values)}" if values else "")
        case _:
            return "" if negated else _compared(inner, named)


def _compared(condition: exp.Expr, named: Named) -> str:
    sign = _SIGNS.get(type(condition))
    if sign is None:
        return ""
    left, right = condition.args["this"], condition.args["expression"]
    if value(left):
        left, right, sign = right, left, _FLIPPED[sign]
    told = value(right)
    return _sentence(named, left, f"{sign} {told}" if told else "")


def _among(condition: exp.In, *, negated: bool) -> str:
    values = _values(condition.expressions)
    if not values or condition.args.get("query"):
        return ""
    more = len(values) - _MOST_VALUES
    tail = f" and {more} more" if more > 0 else ""
    return f"{'not in' if negated else 'in'} {', '.join(values[:_MOST_VALUES])}{tail}"


def _is(condition: exp.Is, *, holds: bool) -> str:
    what = condition.expression
    if isinstance(what, exp.Boolean):
        return f"{'=' if holds else 'is not'} {value(what)}"
    return f"is {'' if holds else 'not '}empty" if isinstance(what, exp.Null) else ""


def _sentence(named: Named, side: exp.Expr, rest: str) -> str:
    # A comparison without case says the same in words.
    column = side.this if isinstance(side, exp.Lower | exp.Upper) else side
    name = named(column) if rest and isinstance(column, exp.Column) else None
    return f"{name} {rest}" if name else ""


def _values(nodes: Sequence[exp.Expr]) -> list[str]:
    """Return all values as words; none where one of them is no literal."""
    values = [value(each) for each in nodes]
    return values if all(values) else []


def value(node: exp.Expr) -> str:
    """Return a literal as one short line; empty for what is none."""
    match node:
        case exp.Paren() | exp.Cast():
            return value(node.this)
        case exp.Neg():
            number = value(node.this)
            return f"-{number}" if number else ""
        case exp.Boolean():
            return "true" if node.this else "false"
        case exp.Literal():
            return _shown(node.name) if node.is_string else node.name
        case _:
            return ""


def _shown(text: str) -> str:
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    line = line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"
    return line if line and line == line.strip(".,;") and not set(",·") & set(line) else f'"{line}"'
