"""Questions that this data can answer."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest

from pydantic import Field

from core.domain.catalog import Catalog, CatalogColumn, CatalogTable
from core.domain.table import Column, ColumnKind, Table
from core.toolkit.args import ToolArgs
from core.toolkit.column_kinds import is_named_as_id
from core.toolkit.context import ToolContext
from core.toolkit.family import Family
from core.toolkit.schema_search import search_schema
from core.toolkit.tool import ToolResult, tool
from core.toolkit.wording import counted

MOST_TABLES = 5
FEWEST_VALUES = 2
ROWS_A_GROUP = 2


class SuggestQuestionsArgs(ToolArgs):
    """What the questions should be about."""

    about: str = Field(
        default="",
        max_length=300,
        description="Topic in a few words or the last question; empty for the data as a whole.",
    )
    count: int = Field(default=5, ge=1, le=10, description="How many questions.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Questions(ToolResult):
    """One row a question."""

    columns = (
        Column("question", ColumnKind.TEXT),
        Column("table", ColumnKind.DIMENSION),
    )


@tool(family=Family.META)
async def suggest_questions(args: SuggestQuestionsArgs, ctx: ToolContext) -> Questions:
    """Suggest questions that this data can answer, from its tables, columns and values.

    Use it when the asker wonders what to ask, or to offer a next step. The questions are in
    English; put them into the asker's language.

    Returns one row a question, the most useful first, of different kinds:
        question: a whole sentence
        table: the table that answers it
    """
    rows = examples_of(ctx.catalog, args.about, count=args.count)
    return Questions(
        finding=describe(len(rows), args.about),
        table=Table(columns=Questions.columns, rows=rows),
    )


def examples_of(catalog: Catalog, about: str = "", *, count: int) -> tuple[tuple[str, str], ...]:
    """Return questions with the tables that answer them, the same ones for the same catalog."""
    by_table = [list(questions_about(table, catalog)) for table in subjects(catalog, about)]
    mixed = (pair for turn in zip_longest(*by_table) for pair in turn if pair)
    return tuple(islice(dict.fromkeys(mixed), count))


def subjects(catalog: Catalog, about: str) -> Sequence[CatalogTable]:
    """Return the tables worth asking about: those that fit the topic, else the central ones."""
    fitting = [hit.table for hit in search_schema(catalog, about, at_most=MOST_TABLES)]
    if fitting:
        return fitting
    filled = [table for table in catalog.tables if table.row_estimate != 0]
    ranked = sorted(filled, key=lambda table: (-_worth(table), table.qualified_name))
    return ranked[:MOST_TABLES]


def questions_about(table: CatalogTable, catalog: Catalog) -> Iterator[tuple[str, str]]:
    questions = list(_questions(table, catalog))
    if questions:
        questions.append(f"How complete and clean is the data on {said(table.name)}?")
    yield from ((question, table.qualified_name) for question in questions)


def _questions(table: CatalogTable, catalog: Catalog) -> Iterator[str]:
    things, time = said(table.name), _time_of(table)
    measure, *_ = (*map(_figure, _measures(table)), "")
    groups = [said(column.name) for column in _groups(table)]
    if measure and time:
        yield f"How did the {measure} of {things} develop by month?"
    elif time:
        yield f"How many {things} are there by month?"
    if measure and groups:
        yield f"Which {groups[0]} has the highest {measure} of {things}?"
    for parent in _parents(table, catalog):
        if measure and (group := next(_groups(parent), None)):
            parents = said(parent.name)
            yield f"What is the {measure} of {things} by {said(group.name)} of {parents}?"
    yield from (f"How many {things} are there by {group}?" for group in groups)
    if measure and time:
        yield f"How does the {measure} of the last full month compare with a year ago?"
    for column in _measures(table)[:1]:
        yield f"How is {said(column.name)} spread over {things}, and which are unusual?"


def _figure(column: CatalogColumn) -> str:
    """Name what is worth knowing of a measure: a sum, or the average of what no sum makes sense."""
    name = said(column.name)
    return f"{'average' if _NOT_ADDED & set(name.split()) else 'total'} {name}"


_NOT_ADDED = {
    "age", "altitude", "average", "avg", "capacity", "density", "depth", "discount", "elevation",
    "grade", "gpa", "height", "length", "level", "mpg", "percent", "percentage", "pct", "position",
    "price", "rank", "rate", "rating", "ratio", "score", "share", "stars", "temperature", "weight",
    "width",
}  # fmt: skip


def said(name: str) -> str:
    """Take a name apart into the words that a sentence would use."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[_\W]+", " ", name)
    return " ".join(spaced.split()).lower() or name


def _worth(table: CatalogTable) -> int:
    keys = len(table.foreign_keys)
    return 4 * bool(_time_of(table)) + 4 * bool(_measures(table)) + min(keys, 3) - table.is_view


def _time_of(table: CatalogTable) -> CatalogColumn | None:
    return next((column for column in table.columns if column.kind is ColumnKind.TIME), None)


def _measures(table: CatalogTable) -> Sequence[CatalogColumn]:
    keys = {*table.primary_key, *(name for key in table.foreign_keys for name in key.columns)}
    return [
        column
        for column in table.columns
        if column.kind is ColumnKind.MEASURE
        and column.name not in keys
        and not is_named_as_id(column.name)
    ]


def _groups(table: CatalogTable) -> Iterator[CatalogColumn]:
    """Yield the columns that put several rows together."""
    most = math.inf if table.row_estimate is None else table.row_estimate / ROWS_A_GROUP
    yield from (
        column
        for column in table.columns
        if column.kind is ColumnKind.DIMENSION
        and FEWEST_VALUES <= len(column.values) <= most
        and not is_named_as_id(column.name)
    )


def _parents(table: CatalogTable, catalog: Catalog) -> Iterator[CatalogTable]:
    for key in table.foreign_keys:
        name = f"{key.to_schema}.{key.to_table}" if key.to_schema else key.to_table
        if parent := catalog.table(name):
            yield parent


def describe(count: int, about: str) -> str:
    if not count:
        return "There is no table to ask about."
    topic = f" about {about.strip()!r}" if about.strip() else ""
    return f"{counted(count, 'question')} that this data can answer{topic}."
