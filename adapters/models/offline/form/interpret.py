"""From a question to SQL: read, decide, build."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from sqlglot import exp

from adapters.models.offline.form.apart import divided, figures_apart, ratio_apart, side_by_side
from adapters.models.offline.form.defined import narrowed
from adapters.models.offline.form.frame import Frame, NotUnderstood, OutOfReach
from adapters.models.offline.form.resolve import Reading, readings
from adapters.models.offline.form.sets import common_parts
from adapters.models.offline.form.shape import build
from adapters.models.offline.form.slots import Option
from adapters.models.offline.form.world import World
from adapters.models.offline.reading.hints import with_definitions
from adapters.models.offline.reading.periods import Grain
from adapters.models.offline.reading.tokens import tokenize
from adapters.models.offline.sketch.chunks import Chunker
from adapters.models.offline.sketch.defined import with_figures
from adapters.models.offline.sketch.expanding import expanded
from adapters.models.offline.sketch.over_time import (
    course_of,
    fitting,
    is_of_one_period,
    shaped,
    words_of_courses,
)
from adapters.models.offline.sketch.sentences import read_question
from adapters.models.offline.sketch.sketch import Bucket, Sketch

MOST_READINGS = 4
SURE_ENOUGH = 0.55
_UNEXPLAINED = 0.5
_VERB = 0.04
NO_PINS: Mapping[int, Option] = {}


@dataclass(frozen=True, eq=False)
class Interpretation:
    """One way to answer: its SQL, how sure it is from 0 to 1, and what was assumed."""

    sketch: Sketch
    reading: Reading
    query: exp.Query
    sql: str
    confidence: float
    notes: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Understanding:
    """A question as it was read, and the ways to answer it, the likeliest first.

    `found` are all the readings of its words, of which the likeliest were built. `beyond`
    says to the reader what the data cannot tell, where a reading failed by that.
    """

    sketch: Sketch
    ways: tuple[Interpretation, ...]
    reasons: tuple[str, ...] = ()
    found: tuple[Reading, ...] = ()
    beyond: str = ""

    @property
    def best(self) -> Interpretation | None:
        return self.ways[0] if self.ways else None


def sketch_of(question: str, world: World) -> Sketch:
    """Read a question; one for the course of a figure is read as that figure by period."""
    course = course_of(question)
    if course is None or not course.figure or _is_named(question, world):
        return _plain_sketch(question, world)
    plain = _plain_sketch(course.words(), world)
    grain = course.grain
    noted: tuple[str, ...] = ()
    if not any(isinstance(group, Bucket) for group in plain.groups):
        grain = fitting(plain)
        plain = _plain_sketch(course.words(grain), world)
        noted = (f"by {grain.value}, as no period length was named",)
    if is_of_one_period(plain, course) or (grain and has_its_own(grain, world)):
        return _plain_sketch(question, world)
    found = shaped(plain, course)
    if found is None:
        return _plain_sketch(question, world)
    found.settled = (*found.settled, *noted)
    return found


def _is_named(question: str, world: World) -> bool:
    """Say whether a name here has the word in it that would ask for a course: `change requests`."""
    said = words_of_courses(question)
    return any(
        said & set(words)
        for table in world.schema.tables
        for words in (table.words, *(column.words for column in table.columns))
    )


def has_its_own(grain: Grain, world: World) -> bool:
    """Say whether a table or a column holds such periods by name or number, and may be meant."""
    return any(
        table.words == (grain.value,)
        or any(c.words[-1] == grain.value and not c.is_time for c in table.columns)
        for table in world.schema.tables
    )


def _plain_sketch(question: str, world: World) -> Sketch:
    tokens = world.defined.with_nouns(tokenize(question), world.lexicon)
    tokens = expanded(tokens, world.lexicon)
    chunker = Chunker(world.lexicon, world.values, world.today, world.defined)
    chunks = chunker.chunks(tokens)
    return with_figures(read_question(chunks, world.lexicon))


def understand(question: str, world: World, hint: str = "") -> Understanding:
    full = with_definitions(question, hint)
    return understand_sketch(sketch_of(full, world), world.asked(full))


def understand_sketch(
    sketch: Sketch, world: World, pins: Mapping[int, Option] = NO_PINS
) -> Understanding:
    """Build a query for each of the likeliest readings; those that make none are left out.

    `pins` are the meanings of words (by their identity) that are settled.
    """
    sketch = narrowed(sketch)
    ways: list[Interpretation] = []
    reasons: list[str] = []
    beyond = ""
    found = readings(sketch, world.schema, world.joins)
    found = tuple(each for each in found if all(each.has(*pin) for pin in pins.items()))
    for reading in found[:MOST_READINGS]:
        try:
            ways.append(built(sketch, reading, world))
        except OutOfReach as error:
            beyond = beyond or str(error)
        except NotUnderstood as error:
            reasons.append(str(error))
    different: dict[str, Interpretation] = {}
    for way in ways:
        different.setdefault(way.sql, way)
    return Understanding(sketch, tuple(different.values()), tuple(reasons), found, beyond)


def built(sketch: Sketch, reading: Reading, world: World) -> Interpretation:
    """Build the query of one reading.

    Raises:
        NotUnderstood: it makes none.
    """
    frame = _frame(sketch, reading, world)
    query = _query(frame)
    sql = query.sql(dialect=world.dialect, pretty=True)
    sure = confidence_of(sketch, reading)
    notes = tuple(dict.fromkeys((*sketch.settled, *_formulas(reading), *frame.notes)))
    return Interpretation(sketch, reading, query, sql, sure, notes)


def _formulas(reading: Reading) -> Iterator[str]:
    """Say how a figure is computed that no column holds."""
    for option in reading.chosen.values():
        column = option.column
        if column is not None and column.formula:
            quantity, price, *discount = column.formula
            less = f" less {discount[0]}, read as a share" if discount else ""
            yield f"{column.label} is {quantity} times {price} of {column.table}{less}"


def _frame(sketch: Sketch, reading: Reading, world: World) -> Frame:
    return Frame(
        sketch.copied(),
        reading,
        world.schema,
        world.joins.through(reading.tables),
        world.dialect,
        world.today,
        nested=partial(_nested, world=world),
    )


def _query(frame: Frame) -> exp.Query:
    """Build a query, or what several have in common."""
    parts = ratio_apart(frame)
    if parts is not None:
        return divided(parts[0], *(build(replace(frame, sketch=e, core=[])) for e in parts[1:]))
    figures = figures_apart(frame)
    if figures:
        return side_by_side([build(replace(frame, sketch=each, core=[])) for each in figures])
    sketches = common_parts(frame)
    if not sketches:
        return _turned(build(frame), frame.sketch.turned)
    first, *others = (build(replace(frame, sketch=each, core=[])) for each in sketches)
    query: exp.Query = first
    for other in others:
        query = exp.Intersect(this=query, expression=other, distinct=True)
    return query


def _turned(query: exp.Select, direction: str) -> exp.Select:
    """Sort the rows of a ranking again, once they are found."""
    order, limit = query.args.get("order"), query.args.get("limit")
    keys = list(order.find_all(exp.Ordered)) if isinstance(order, exp.Order) else []
    if not direction or not keys or limit is None:
        return query
    by: exp.Expr = keys[0].this
    aliases = [each for each in query.selects if each.unalias() == by]
    name = (aliases[0] if aliases else query.selects[-1]).alias_or_name
    columns = [exp.column(exp.to_identifier(each.alias_or_name)) for each in query.selects]
    turned = exp.select(*columns).from_(query.subquery("ranked"))
    ordered = exp.Ordered(this=exp.column(exp.to_identifier(name)), desc=direction == "desc")
    return turned.order_by(ordered)


def _nested(sketch: Sketch, *, world: World) -> exp.Expr:
    """Build a question inside a question.

    Raises:
        NotUnderstood: it makes no query.
    """
    sketch = narrowed(sketch)
    for reading in _first(readings(sketch, world.schema, world.joins)):
        return exp.Subquery(this=build(_frame(sketch, reading, world)))
    raise NotUnderstood("the question inside is not understood")


def _first(found: Sequence[Reading]) -> Iterator[Reading]:
    yield from found[:1]


def confidence_of(sketch: Sketch, reading: Reading) -> float:
    """Say how sure a reading is: by its weakest word, and by what it leaves unexplained."""
    unknown = _UNEXPLAINED * len(sketch.unexplained) + _VERB * len(sketch.verbs)
    return max(0.0, min(1.0, 0.55 + 0.45 * reading.worst) - unknown)
