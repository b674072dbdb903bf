"""What the things of a question are called: tables, columns, periods."""

from __future__ import annotations

from adapters.models.offline.form.interpret import Interpretation
from adapters.models.offline.form.resolve import Option, Reading
from adapters.models.offline.sketch.sketch import Band, Bucket, Field, Mention, Term


def label_of(mention: Mention, reading: Reading) -> str:
    """Return the words for what a mention was read as."""
    option = reading.option(mention)
    if option is None:
        return mention.text
    if option.column is not None:
        return option.column.label
    return option.table.rows


def words_for(term: Term, way: Interpretation) -> list[str]:
    """Return what rows are grouped to by a term; nothing where it became a figure."""
    match term:
        case Bucket(grain=grain):
            return [grain.value]
        case Band(mention=mention):
            return [f"{label_of(mention, way.reading)} band"]
        case Field(mention=mention):
            option = way.reading.option(mention)
            counted = option is None or _is_counted(option, term, way)
            return [] if counted else [label_of(mention, way.reading)]
        case _:
            return []


def _is_counted(option: Option, term: Field, way: Interpretation) -> bool:
    """Say whether a name became a figure: a column of figures, or rows counted by group."""
    if option.column is not None:
        return option.column.is_measure
    return bool(way.sketch.groups) and term not in way.sketch.groups
