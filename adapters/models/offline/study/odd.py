"""Finds what lies far from the rest: rows of a figure, or days, weeks and months of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from adapters.models.offline.form.frame import NotUnderstood
from adapters.models.offline.form.interpret import (
    SURE_ENOUGH,
    Interpretation,
    sketch_of,
    understand_sketch,
)
from adapters.models.offline.form.sqltext import number
from adapters.models.offline.form.world import World
from adapters.models.offline.reading.periods import Grain
from adapters.models.offline.reading.tails import parted
from adapters.models.offline.sketch.over_time import figure_named
from adapters.models.offline.study.figures import Figure, figure_of
from adapters.models.offline.study.phrases import bare, plain
from adapters.models.offline.study.steps import queried, refuse_unless, said
from adapters.models.offline.talk.findings import Subject, told_cell, worths
from adapters.models.offline.talk.moves import Move, ask
from adapters.models.offline.talk.situation import Situation, ToolAnswer
from adapters.models.offline.talk.wording import title_of

OUTLIERS = "detect_outliers"
_MOST_TOLD = 5
_FAR = 3
_OPENING = re.compile(
    r"^\W*(?:(?:please|can you|could you|show(?: me)?|find|list|detect|give me|tell me|look for"
    r"|check for|do we have|did we have|are there|is there|were there|was there|have there been"
    r"|what(?: are| were)?|which(?: are| were)?)\s+)*(?:(?:the|our|any|some|all|an?)\s+)*",
    re.IGNORECASE,
)
_WORD = (
    r"(?:outliers?|anomal(?:y|ies)|(?:unusual|odd|abnormal|anomalous|extreme) (?:values?|rows?))"
)
_ODD = (
    re.compile(rf"{_WORD} (?:in|for|among|of|within|on) (?P<figure>.+)", re.IGNORECASE),
    re.compile(rf"(?P<figure>.+?) {_WORD}(?P<tail> .+)?", re.IGNORECASE),
)
_ODD_PERIODS = re.compile(
    r"(?:unusual|odd|abnormal|strange|anomalous|outlier) (?P<grain>days?|weeks?|months?)\b"
    r"(?P<rest>.*)",
    re.IGNORECASE,
)
_GRAINS = {"daily": Grain.DAY, "weekly": Grain.WEEK, "monthly": Grain.MONTH}
_LY = re.compile(r"^(?P<ly>daily|weekly|monthly)\s+", re.IGNORECASE)
_BY = re.compile(r"\s+(?:by|per) (?P<grain>day|week|month)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Odd:
    """What is looked through: the rows of a figure, or its periods where there is a grain."""

    figure: str
    tail: str
    grain: Grain | None = None


def odd(situation: Situation, world: World) -> Move | None:
    """Return the next move where outliers are asked for; None for every other question.

    Raises:
        NotUnderstood: they are, and the figure is none that this can be told of.
    """
    asked = _asked(situation.question)
    if asked is None:
        return None
    if asked.grain is not None:
        return _periods(asked, asked.grain, situation, world)
    figure = figure_of(asked.figure, asked.tail, world)
    if figure.column is None:
        return _periods(asked, Grain.DAY, situation, world)
    return _rows(figure, situation, world)


def _asked(question: str) -> _Odd | None:
    text = plain(question)
    opening = _OPENING.match(text)
    text = text[opening.end() :] if opening is not None else text
    periods = _ODD_PERIODS.fullmatch(text)
    if periods is not None:
        named = figure_named(periods["rest"])
        grain = Grain(periods["grain"].lower().removesuffix("s"))
        return _Odd(bare(named[0]), named[1], grain) if named and named[0] else None
    for pattern in _ODD:
        found = pattern.fullmatch(text)
        if found is not None:
            own = found.groupdict().get("tail") or ""
            return _with_grain(*parted(f"{bare(found['figure'])}{own}"))
    return None


def _with_grain(figure: str, tail: str) -> _Odd:
    ly, by = _LY.match(figure), _BY.search(figure)
    if ly is not None:
        return _Odd(figure[ly.end() :], tail, _GRAINS[ly["ly"].lower()])
    if by is not None:
        return _Odd(figure[: by.start()] + figure[by.end() :], tail, Grain(by["grain"].lower()))
    return _Odd(figure, tail)


def _rows(figure: Figure, situation: Situation, world: World) -> Move:
    """Have the tool look through a column; its filters have to be of the same table."""
    column = figure.column
    if column is None or column.formula:
        raise NotUnderstood(f"No column holds {figure.words!r}, so I find no outliers in it.")
    where = _condition(figure, world)
    answer = _done_by_tool(situation)
    if answer is None:
        refuse_unless(situation, OUTLIERS)
        arguments = {"table": column.table, "measure": column.name}
        return ask(OUTLIERS, **arguments, **({"where": where} if where else {}))
    if answer.error:
        raise NotUnderstood(f"Outliers in {column.label} could not be told: {answer.error}")
    told = " ".join((answer.finding, *answer.notes))
    return said(told, [f"{figure.words} is {column.table}.{column.name}, row by row"])


def _done_by_tool(situation: Situation) -> ToolAnswer | None:
    return next(iter(situation.answers_of(OUTLIERS)[-1:]), None)


def _condition(figure: Figure, world: World) -> str:
    """Return the filters of a figure as a condition on its own table."""
    where = figure.way.query.args.get("where")
    if not isinstance(where, exp.Where):
        return ""
    if figure.way.query.args.get("joins"):
        raise NotUnderstood(
            f"I look for outliers among all rows of {figure.table.label}, or by its own columns."
        )
    condition = where.this.copy()
    for named in condition.find_all(exp.Column):
        named.set("table", None)
    return condition.sql(dialect=world.dialect)


def _periods(asked: _Odd, grain: Grain, situation: Situation, world: World) -> Move:
    """Find the periods whose figure lies far from the mean of all of them."""
    sketch = sketch_of(f"{asked.figure} by {grain.value} {asked.tail}".strip(), world)
    way = understand_sketch(sketch, world).best
    if way is None or way.confidence < SURE_ENOUGH or len(way.query.selects) != 2:
        raise NotUnderstood(f"I found nothing here for {asked.figure!r} by {grain.value}.")
    query = _far(way)
    sql = query.sql(dialect=world.dialect, pretty=True)
    title = f"Unusual {grain.value}s: {title_of(way)}"

    def tell(answers: Sequence[ToolAnswer]) -> str:
        return _told(answers[0], title, grain)

    rule = (
        f"unusual is more than {_FAR} standard deviations from the mean of all {grain.value}s"
        " with rows"
    )
    return queried(situation, {sql: title}, tell, (rule, *way.notes))


def _far(way: Interpretation) -> exp.Select:
    """Return the periods that lie far from the mean, the farthest first.

    Squares are compared with squares, as not every database can take a root.
    """
    time, value = (exp.column(each.alias_or_name) for each in way.query.selects)
    each = way.query.copy()
    each.set("order", None)

    def mean(of: exp.Expr) -> exp.Expr:
        return exp.Window(this=exp.Avg(this=of))

    real = exp.Mul(this=exp.Literal.number("1.0"), expression=value)
    square = exp.Mul(this=real.copy(), expression=value.copy())
    spread = exp.Sub(
        this=mean(square), expression=exp.Mul(this=mean(real), expression=mean(real.copy()))
    )
    usual = exp.select(
        time.copy(),
        value.copy(),
        exp.alias_(mean(real.copy()), "usual"),
        exp.alias_(spread, "variance"),
    ).from_(each.subquery("each_period"))
    distance = exp.Paren(this=exp.Sub(this=value.copy(), expression=exp.column("usual")))
    squared = exp.Mul(this=distance, expression=distance.copy())
    far = exp.GT(
        this=squared,
        expression=exp.Mul(this=number(_FAR * _FAR), expression=exp.column("variance")),
    )
    return (
        exp.select(time.copy(), value.copy(), exp.column("usual"))
        .from_(usual.subquery("with_usual"))
        .where(far)
        .order_by(exp.Ordered(this=squared.copy(), desc=True, nulls_first=False))
    )


def _told(answer: ToolAnswer, title: str, grain: Grain) -> str:
    subject = Subject(title, grain=grain)
    if not answer.rows:
        return f"{title}: there are none."
    worth, usual = worths(answer, 1, subject), worths(answer, 2, subject)
    named = [f"{told_cell(row[0], subject)} with {worth(row[1])}" for row in answer.rows]
    listed = ", ".join(named[:_MOST_TOLD])
    more = f" and {answer.row_count - _MOST_TOLD:,} more" if answer.row_count > _MOST_TOLD else ""
    count = f"{answer.row_count:,} {grain.value}{'' if answer.row_count == 1 else 's'}"
    return f"{title}: {count}. {listed}{more}; the mean is {usual(answer.rows[0][2])}."
