"""The next move where a question takes a study: who left, what goes together, what changed."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from adapters.models.offline.form.frame import NotUnderstood
from adapters.models.offline.form.interpret import sketch_of
from adapters.models.offline.form.sqltext import number
from adapters.models.offline.form.world import World
from adapters.models.offline.reading.lemmas import plural
from adapters.models.offline.reading.periods import Period
from adapters.models.offline.reading.tokens import tokenize
from adapters.models.offline.sketch.sketch import (
    Aggregate,
    Dated,
    Field,
    Measure,
    Sketch,
    Term,
)
from adapters.models.offline.study.churn import CHURNED, churn_in
from adapters.models.offline.study.correlating import NO_CHURN, beside_churn, joint_of, told
from adapters.models.offline.study.drivers import (
    Change,
    Split,
    change_in,
    change_of,
    splits,
    told_change,
    told_drivers,
    whole,
)
from adapters.models.offline.study.figures import figure_in, figure_of, overall, period_of
from adapters.models.offline.study.odd import odd
from adapters.models.offline.study.phrases import (
    by_churn_of,
    change_asked,
    churn_of,
    overall_of,
    pair_of,
    why_of,
)
from adapters.models.offline.study.steps import done, queried, refuse_unless, said
from adapters.models.offline.talk.findings import figure, finding
from adapters.models.offline.talk.moves import Move, ask
from adapters.models.offline.talk.situation import Situation, ToolAnswer
from adapters.models.offline.talk.wording import subject_of, title_of

CORRELATE = "correlate_query"


def study(situation: Situation, world: World) -> Move | None:
    """Return the next move of a study; None for every other question.

    Where the data team has defined the figure that is asked for, only what relates figures is one.

    Raises:
        NotUnderstood: it is one, and the data has not what it needs; the message is for the reader.
    """
    defined = world.defined.metric_in(tokenize(situation.question))
    for read in _RELATING if defined else _STUDIES:
        move = read(situation, world)
        if move is not None:
            return move
    return None


def _correlation(situation: Situation, world: World) -> Move | None:
    pair = pair_of(situation.question)
    if pair is None:
        return None
    joint = joint_of(pair, world)
    answers = done(situation, CORRELATE, [joint.sql])
    if answers is None:
        refuse_unless(situation, CORRELATE)
        return ask(CORRELATE, sql=joint.sql, x=joint.x, y=joint.y)
    [answer] = answers
    figures = [c for row in answer.rows[:1] for c in row[2:5] if isinstance(c, int | float)]
    if "same in every row" in answer.error:
        raise NotUnderstood(
            f"Nothing to correlate: {joint.first} or {joint.second} is the same for every"
            f" {joint.unit}{f' ({joint.filters[0]})' if joint.filters else ''}."
        )
    if answer.error or len(figures) < 3:
        raise NotUnderstood(f"The two could not be correlated. {answer.error}".strip())
    r, n, p = figures
    return said(told(joint, r, int(n), p), joint.notes)


def _churn(situation: Situation, world: World) -> Move | None:
    tail = churn_of(situation.question)
    churn = churn_in(world.schema) if tail is not None else None
    if churn is None:
        return None
    sketch = sketch_of(f"{churn.table.label} {tail}", world)
    dated = [c for c in sketch.conditions if isinstance(c, Dated)]
    if len(dated) != len(sketch.conditions) or len(dated) > 1 or sketch.groups:
        raise NotUnderstood("I can tell who left in one period, and over all customers only.")
    period = period_of(dated)
    if period is not None and period.start is not None and period.start > world.today:
        raise NotUnderstood(f"{period.text} has not begun, so nobody can have left in it.")
    left = exp.Sum(this=exp.column(CHURNED))
    count = exp.Count(this=exp.Star())
    rate = exp.Div(
        this=exp.Mul(this=exp.Literal.number("100.0"), expression=left.copy()),
        expression=exp.func("NULLIF", count.copy(), number(0)),
    )
    units = plural(churn.unit.label)
    query = exp.select(
        exp.alias_(count, units.replace(" ", "_")),
        exp.alias_(left, CHURNED),
        exp.alias_(rate, "churn_rate_percent"),
    ).from_(churn.units(period, world.dialect).subquery("units"))

    def tell(answers: Sequence[ToolAnswer]) -> str:
        row = answers[0].rows[0] if answers[0].rows else ()
        if len(row) < 3 or row[2] is None:
            return f"No {units} were there to leave{_in(period)}."
        return (
            f"{figure(row[1])} of {figure(row[0])} {units} churned{_in(period)}:"
            f" a churn rate of {figure(row[2])}%."
        )

    sql = query.sql(dialect=world.dialect, pretty=True)
    notes = (churn.assumption(period),)
    return queried(situation, {sql: f"Churn rate {tail}".strip()}, tell, notes)


def _in(period: Period | None) -> str:
    return f" in {period.text}" if period is not None else ""


def _beside_churn(situation: Situation, world: World) -> Move | None:
    asked = by_churn_of(situation.question)
    if asked is None:
        return None
    churn = churn_in(world.schema)
    if churn is None:
        raise NotUnderstood(NO_CHURN)
    of_each = figure_of(asked.figure, asked.tail, world)
    beside = beside_churn(churn, of_each, world)
    value = exp.column(of_each.name, "each_unit")
    units = plural(churn.unit.label)
    query = exp.select(
        exp.column(CHURNED, "each_unit"),
        exp.alias_(exp.Count(this=exp.Star()), units.replace(" ", "_")),
        exp.alias_(exp.Sum(this=value.copy()), f"total_{of_each.name}"),
        exp.alias_(exp.Avg(this=value.copy()), f"average_{of_each.name}"),
    ).from_(beside.subquery("each_unit"))
    group = exp.column(CHURNED, "each_unit")
    query = query.group_by(group).order_by(exp.Ordered(this=group.copy(), desc=True))

    def tell(answers: Sequence[ToolAnswer]) -> str:
        by_flag = {str(row[0]): row for row in answers[0].rows if len(row) == 4}
        parts = [
            f"{who} had {figure(by_flag[flag][3])} on average"
            f" ({figure(by_flag[flag][1])} {units}, {figure(by_flag[flag][2])} in all)"
            for flag, who in (("1", "those who churned"), ("0", "the others"))
            if flag in by_flag
        ]
        name = of_each.words[:1].upper() + of_each.words[1:]
        return f"{name}: {', '.join(parts)}." if parts else f"No {units} were there to leave."

    sql = query.sql(dialect=world.dialect, pretty=True)
    notes = (churn.assumption(of_each.period),)
    return queried(situation, {sql: f"{asked.figure} by churn"}, tell, notes)


def _overall(situation: Situation, world: World) -> Move | None:
    asked = overall_of(situation.question)
    if asked is None:
        return None
    of_each = figure_of(*asked, world)
    if of_each.sketch.groups or not (of_each.adds_up or of_each.is_plain):
        return None
    way = overall(of_each, world)
    title = title_of(way)

    def tell(answers: Sequence[ToolAnswer]) -> str:
        return finding(answers[0], subject_of(way, title))

    return queried(situation, {way.sql: title}, tell, way.notes)


def _change(situation: Situation, world: World) -> Move | None:
    why = change_asked(situation.question)
    if why is None:
        return None
    change = change_of(why.figure, why.tail, world)
    split = whole(change, world)

    def tell(answers: Sequence[ToolAnswer]) -> str:
        return told_change(change, answers[0], falls=why.falls)

    return queried(situation, {split.sql: change.title}, tell, _notes(change))


def _why(situation: Situation, world: World) -> Move | None:
    why = why_of(situation.question)
    if why is None:
        return None
    change = change_of(why.figure, why.tail, world)
    whole_too = situation.question.lower().startswith("why")
    return explained(situation, change, world, falls=why.falls, whole_too=whole_too)


def explained(
    situation: Situation,
    change: Change,
    world: World,
    *,
    falls: bool | None,
    whole_too: bool = True,
) -> Move:
    """Run the change by each kind of group, and in all if wished, and say what stands out."""
    kinds = splits(change, world)
    parts = [*([whole(change, world)] if whole_too else []), *kinds]
    if not parts:
        raise NotUnderstood(f"There is no group here that {change.figure.words} could be told by.")
    asked = {part.sql: f"{change.title}{_by(part)}" for part in parts}

    def tell(answers: Sequence[ToolAnswer]) -> str:
        first = [told_change(change, answers[0], falls=falls)] if whole_too else []
        own = answers[1:] if whole_too else answers
        return " ".join((*first, told_drivers(list(zip(kinds, own, strict=True)), falls=falls)))

    return queried(situation, asked, tell, _notes(change))


def why_again(
    situation: Situation, before: Sketch, world: World, *, falls: bool | None, tail: str
) -> Move:
    """Explain the change of the figure that was asked for last.

    Raises:
        NotUnderstood: it was no figure, or one that does not add up over groups.
    """
    sketch = before.copied()
    then = [c for c in sketch_of(tail, world).conditions if isinstance(c, Dated)] if tail else []
    if then:
        sketch.conditions = [c for c in sketch.conditions if not isinstance(c, Dated)] + then
    sketch.groups, sketch.order, sketch.limit, sketch.growth = [], [], None, ""
    sketch.items = [item for item in sketch.items if isinstance(item, Measure) or _adds(item)]
    if not sketch.items:
        raise NotUnderstood("There is no figure before this that I could explain: name one.")
    named = [item.mention.text for item in sketch.items if isinstance(item, Field)]
    named += [i.mention.text for i in sketch.items if isinstance(i, Measure) and i.mention]
    words = (named or ["it"])[0]
    counted = any(isinstance(i, Measure) and i.aggregate is Aggregate.COUNT for i in sketch.items)
    words = f"number of {words}" if counted else words
    change = change_in(figure_in(words, sketch, world), world)
    return explained(situation, change, world, falls=falls)


def _adds(item: Term) -> bool:
    best = item.mention.meanings[:1] if isinstance(item, Field) else ()
    return any(m.column is not None and m.column.is_measure for m in best)


def _by(split: Split) -> str:
    return f" by {split.kind}" if split.kind else ""


def _notes(change: Change) -> tuple[str, ...]:
    return (f"compared with the period before, {change.title.rsplit(', ', 1)[1]}",)


_RELATING = (_correlation, _beside_churn)
_STUDIES = (_correlation, odd, _beside_churn, _churn, _overall, _change, _why)
