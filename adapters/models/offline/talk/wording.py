"""Says in words what a query shows."""

from __future__ import annotations

from collections.abc import Iterator

from adapters.models.offline.form.interpret import Interpretation
from adapters.models.offline.form.ratios import is_share
from adapters.models.offline.form.resolve import Option, Reading
from adapters.models.offline.reading.lemmas import plural
from adapters.models.offline.reading.periods import Period
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
    Ratio,
    Related,
    Span,
)
from adapters.models.offline.talk.findings import Subject
from adapters.models.offline.talk.labels import label_of, words_for
from adapters.models.offline.talk.ranks import columns_of, first_is, first_shown, rank_of

_LONGEST_TITLE = 110
_OPS = {
    "=": "is", "!=": "is not", ">": "over", ">=": "at least", "<": "under", "<=": "at most",
    "contains": "contains", "starts": "starts with", "ends": "ends with", "between": "between",
}  # fmt: skip


def title_of(way: Interpretation) -> str:
    """Return a short heading: what is shown, by what, of which rows."""
    columns = columns_of(way.query)
    figures = [_plain(name) for name, is_figure in columns if is_figure]
    names = _names(way) or [_plain(name) for name, is_figure in columns if not is_figure]
    head = _head(way, figures) or " and ".join((figures or names)[:3])
    plain = not _special(way)
    if plain and figures and names and len(columns) > len(figures):
        head += " by " + " and ".join(names[:2])
    head += first_shown(way, figures)
    filters = "; ".join(filters_of(way))
    title = f"{head} ({filters})" if filters else head
    title = title[:1].upper() + title[1:]
    return title if len(title) <= _LONGEST_TITLE else title[: _LONGEST_TITLE - 1].rstrip() + "…"


def _head(way: Interpretation, figures: list[str]) -> str:
    """Return words for figures that their columns' names do not say."""
    special = _special(way)
    if special:
        return special
    spans = [item for item in way.sketch.items if isinstance(item, Span)]
    if len(spans) == 1 and len(figures) == 1:
        return f"{figures[0]} {_ends(spans[0], way.reading)}"
    if way.sketch.changes and figures:
        return f"{figures[0]} and its change"
    if way.sketch.growth and len(figures) > 2:
        return f"Change from {figures[-3]} to {figures[-2]}"
    [ratio] = [item for item in way.sketch.items if isinstance(item, Ratio)][:1] or [None]
    if ratio is None or len(figures) > 1:
        return ""
    top, bottom = (_counted(side.mention, way.reading) for side in (ratio.top, ratio.bottom))
    if not (ratio.percent or is_share(ratio)):
        return (
            f"Ratio of {_with_only(top, ratio.top, way)} to {_with_only(bottom, ratio.bottom, way)}"
        )
    only = " and ".join(filter(None, (_clause(each, way.reading) for each in ratio.top.only)))
    if not ratio.top.only and not ratio.of_all_groups and top != bottom:
        return f"{top} as a percentage of {bottom}"
    words = "Percentage" if ratio.percent else "Share"
    return f"{words} of {bottom} {only}".rstrip()


def _clause(condition: Condition, reading: Reading) -> str:
    """Return a condition as it stands behind a noun: `with refunds`, `where status is open`."""
    said = _said(condition, reading)
    match condition:
        case Related():
            return said
        case Dated(relation="in", mention=mention):
            option = reading.option(mention)
            rows = f"with {option.table.rows} " if option is not None else ""
            return f"{rows}in {said}"
        case _:
            return f"where {said}" if said else ""


def _ends(span: Span, reading: Reading) -> str:
    """Name the two dates of a time, and whose they are."""
    first, last = reading.option(span.first), reading.option(span.last)
    pick = f"the {span.pick} " if span.pick else ""
    text = f"from {label_of(span.first, reading)} to {pick}{label_of(span.last, reading)}"
    tables = [option.table.label for option in (first, last) if option is not None]
    return f"{text} of {' and '.join(dict.fromkeys(map(plural, tables)))}"


def _special(way: Interpretation) -> str:
    """Name what is there more than once, or the periods that have none."""
    sketch = way.sketch
    labels = [label_of(mention, way.reading) for mention in sketch.repeated]
    if sketch.duplicates:
        rows = label_of(sketch.subject, way.reading) if sketch.subject else ""
        same = " and ".join(filter(None, (", ".join(labels[:-1]), *labels[-1:])))
        of = f" of {rows}" if rows else ""
        return f"duplicates{of} by {same}" if labels else f"duplicates{of}"
    if sketch.empty is not None and sketch.subject is not None:
        return f"{sketch.empty.value}s without {label_of(sketch.subject, way.reading)}"
    return ""


def _with_only(words: str, side: Measure, way: Interpretation) -> str:
    only = " and ".join(filter(None, (_said(each, way.reading) for each in side.only)))
    return f"{words} where {only}" if only else words


def _counted(mention: Mention | None, reading: Reading) -> str:
    return label_of(mention, reading) if mention is not None else "all"


def subject_of(way: Interpretation, title: str) -> Subject:
    """Return what the result of a query is about."""
    sketch = way.sketch
    grains = [each.grain for each in (*sketch.groups, sketch.within) if isinstance(each, Bucket)]
    return Subject(
        title=title,
        within=sketch.within is not None and sketch.limit == 1,
        first=first_is(way),
        figures=_figures(way),
        percent=any(isinstance(item, Ratio) and item.percent for item in way.sketch.items),
        share=any(isinstance(item, Ratio) and is_share(item) for item in way.sketch.items),
        grain=grains[0] if grains else None,
        changes=way.sketch.changes,
        develops=way.sketch.develops,
        runs=way.sketch.running,
    )


def _figures(way: Interpretation) -> list[bool]:
    """Mark the columns that are figures; what is ranked within groups stands last, and is one."""
    columns = columns_of(way.query)
    if way.sketch.within is not None:
        return [at == len(columns) - 1 for at in range(len(columns))]
    names = way.sketch.duplicates and not way.sketch.counted
    return [is_figure and not names for _, is_figure in columns]


def _names(way: Interpretation) -> list[str]:
    """Return what the rows are: a table where its names stand for it, a column by its words."""
    found: list[str] = []
    for term in (*way.sketch.groups, *way.sketch.items):
        found += words_for(term, way)
    return list(dict.fromkeys(found))


def _holder(option: Option) -> str:
    """Return what holds a value: a column, or for a mere name what is called by it."""
    column = option.column
    if column is None or column.words == ("name",):
        return option.table.label
    return column.label


def filters_of(way: Interpretation) -> tuple[str, ...]:
    """Return each condition in a few words."""
    return tuple(dict.fromkeys(_filters(way)))


def _filters(way: Interpretation) -> Iterator[str]:
    yield from rank_of(way)
    for condition in way.sketch.conditions:
        said = _said(condition, way.reading)
        if said:
            yield said


def _said(condition: Condition, reading: Reading) -> str:
    match condition:
        case Holds(literal=literal, negated=negated):
            option = reading.option(literal)
            column = _holder(option) if option is not None else "value"
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
        case Flag(mention=mention, truth=truth):
            # What only belongs to the definition of a figure has no words of its own.
            if not mention.text:
                return ""
            option = reading.option(mention)
            meant = truth != (option is not None and option.inverse)
            return f"{'' if meant else 'not '}{label_of(mention, reading)}"
        case Missing(mention=mention, truth=truth):
            return f"{'no' if truth else 'with'} {label_of(mention, reading)}"
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
    label = label_of(mention, reading) if mention is not None else "value"
    operand = condition.operand
    if isinstance(operand, float):
        value = f"{operand:g}"
    elif isinstance(operand, Literal | Period):
        value = operand.text
    elif isinstance(operand, Field):
        value = label_of(operand.mention, reading)
    else:
        value = "the figure compared with"
    upper = f" and {condition.upper:g}" if isinstance(condition.upper, float) else ""
    return f"{label} {_OPS.get(condition.op, condition.op)} {value}{upper}"


def _belongs(condition: Related, reading: Reading) -> str:
    label = label_of(condition.mention, reading)
    inner = " and ".join(filter(None, (_inside(each, reading) for each in condition.conditions)))
    label = " ".join(filter(None, (label, inner)))
    if condition.negated:
        return f"without {label}"
    if condition.op:
        return f"{_OPS.get(condition.op, condition.op)} {condition.number:g} {label}"
    return f"with {label}"


def _inside(condition: Condition, reading: Reading) -> str:
    """Return a condition on what belongs to the rows: `refunds in 2025`, `orders with refunds`."""
    said = _said(condition, reading)
    if isinstance(condition, Dated):
        return f"in {said}" if condition.relation == "in" and said else said
    return said if isinstance(condition, Related) or not said else f"with {said}"


def _plain(name: str) -> str:
    return name.replace("_", " ").strip()
