"""Says in words what a query shows."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from adapters.models.offline.form.interpret import Interpretation
from adapters.models.offline.form.resolve import Reading
from adapters.models.offline.sketch.sketch import (
    AllOf,
    AnyOf,
    Bucket,
    Compare,
    Condition,
    Dated,
    Field,
    Flag,
    Holds,
    Literal,
    Measure,
    Mention,
    Missing,
    Not,
    Related,
)

_LONGEST_TITLE = 110
_OPS = {
    "=": "is", "!=": "is not", ">": "over", ">=": "at least", "<": "under", "<=": "at most",
    "contains": "contains", "starts": "starts with", "ends": "ends with", "between": "between",
}  # fmt: skip


def columns_of(query: exp.Query) -> tuple[tuple[str, bool], ...]:
    """Return the columns of a query with the mark whether each is a figure over many rows."""
    return tuple((each.alias_or_name, each.find(exp.AggFunc) is not None) for each in query.selects)


def title_of(way: Interpretation) -> str:
    """Return a short heading: what is shown, by what, of which rows."""
    columns = columns_of(way.query)
    figures = [_plain(name) for name, is_figure in columns if is_figure]
    names = _names(way) or [_plain(name) for name, is_figure in columns if not is_figure]
    head = " and ".join((figures or names)[:3])
    if figures and names and len(columns) > len(figures):
        head += " by " + " and ".join(names[:2])
    filters = "; ".join(filters_of(way))
    title = f"{head} ({filters})" if filters else head
    title = title[:1].upper() + title[1:]
    return title if len(title) <= _LONGEST_TITLE else title[: _LONGEST_TITLE - 1].rstrip() + "…"


def _names(way: Interpretation) -> list[str]:
    """Return what the rows are: a table where its names stand for it, a column by its words."""
    found: list[str] = []
    for term in (*way.sketch.groups, *way.sketch.items):
        if isinstance(term, Bucket):
            found.append(term.grain.value)
        elif isinstance(term, Field):
            option = way.reading.option(term.mention)
            figure = option is not None and option.column is not None and option.column.is_measure
            found += [] if option is None or figure else [_label(term.mention, way.reading)]
    return list(dict.fromkeys(found))


def filters_of(way: Interpretation) -> tuple[str, ...]:
    """Return each condition in a few words."""
    return tuple(dict.fromkeys(_filters(way)))


def _filters(way: Interpretation) -> Iterator[str]:
    for condition in way.sketch.conditions:
        said = _said(condition, way.reading)
        if said:
            yield said


def _said(condition: Condition, reading: Reading) -> str:
    match condition:
        case Holds(literal=literal, negated=negated):
            option = reading.option(literal)
            column = option.column.label if option and option.column else "value"
            value = option.value if option else literal.text
            return f"{column} {'is not' if negated else 'is'} {value}"
        case Dated(period=period, relation=relation, until=until):
            if until is not None:
                return f"{period.text} to {until.text}"
            return period.text if relation == "in" else f"{relation} {period.text}"
        case Compare():
            return _compared(condition, reading)
        case Related():
            return _belongs(condition, reading)
        case Flag(mention=mention) | Missing(mention=mention):
            return f"{'no ' if isinstance(condition, Missing) else ''}{_label(mention, reading)}"
        case Not(condition=inner):
            said = _said(inner, reading)
            return f"not: {said}" if said else ""
        case AllOf(conditions=inner):
            return " and ".join(filter(None, (_said(each, reading) for each in inner)))
        case AnyOf(conditions=inner):
            return " or ".join(filter(None, (_said(each, reading) for each in inner)))


def _compared(condition: Compare, reading: Reading) -> str:
    term = condition.term
    mention = term.mention if isinstance(term, Field | Measure) else None
    label = _label(mention, reading) if mention is not None else "value"
    operand = condition.operand
    if isinstance(operand, float):
        value = f"{operand:g}"
    elif isinstance(operand, Literal):
        value = operand.text
    else:
        value = "the figure compared with"
    upper = f" and {condition.upper:g}" if isinstance(condition.upper, float) else ""
    return f"{label} {_OPS.get(condition.op, condition.op)} {value}{upper}"


def _belongs(condition: Related, reading: Reading) -> str:
    label = _label(condition.mention, reading)
    inner = " and ".join(filter(None, (_said(each, reading) for each in condition.conditions)))
    label = " with ".join(filter(None, (label, inner)))
    if condition.negated:
        return f"without {label}"
    if condition.op:
        return f"{_OPS.get(condition.op, condition.op)} {condition.number:g} {label}"
    return ""


def _label(mention: Mention, reading: Reading) -> str:
    option = reading.option(mention)
    if option is None:
        return mention.text
    if option.column is not None:
        return option.column.label
    return option.table.name.rsplit(".", 1)[-1].replace("_", " ").lower()


def _plain(name: str) -> str:
    return name.replace("_", " ").strip()
