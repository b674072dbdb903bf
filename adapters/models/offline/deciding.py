"""Decides the next move from the conversation alone."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field, replace
from threading import Lock

from adapters.models.offline.form.frame import NotUnderstood
from adapters.models.offline.form.interpret import (
    SURE_ENOUGH,
    Interpretation,
    Understanding,
    sketch_of,
    understand_sketch,
)
from adapters.models.offline.form.ranking import Choice
from adapters.models.offline.form.world import World, world_of
from adapters.models.offline.intent import intent_reply
from adapters.models.offline.reading.hints import with_definitions
from adapters.models.offline.sketch.sketch import Sketch
from adapters.models.offline.study.composing import composed
from adapters.models.offline.study.moves import study, why_again
from adapters.models.offline.study.planning import PLANS, plan_reply
from adapters.models.offline.talk.band_widths import TITLE as REACH
from adapters.models.offline.talk.band_widths import with_widths
from adapters.models.offline.talk.catalog_talk import catalog_answer
from adapters.models.offline.talk.courses import end_asked, told_course
from adapters.models.offline.talk.data_ends import TITLE as LAST_DAY
from adapters.models.offline.talk.data_ends import with_last_day
from adapters.models.offline.talk.declining import failed, not_understood
from adapters.models.offline.talk.definition_talk import definition_answer
from adapters.models.offline.talk.findings import Subject, finding
from adapters.models.offline.talk.followups import is_followup, merged, with_year_as_period
from adapters.models.offline.talk.looking_back import asks_for_sql, asks_why
from adapters.models.offline.talk.lookups import lookups_for
from adapters.models.offline.talk.moves import Ask, Call, Move, Say, ask
from adapters.models.offline.talk.of_what import with_figure
from adapters.models.offline.talk.open_dates import with_settled_date
from adapters.models.offline.talk.open_words import with_settled_words
from adapters.models.offline.talk.ranked_by import ranking_choice
from adapters.models.offline.talk.schema_steps import next_schema_step, seen_schema
from adapters.models.offline.talk.short_times import in_hours
from adapters.models.offline.talk.situation import Situation, ToolAnswer, situation_of
from adapters.models.offline.talk.smalltalk import REFUSAL, TOO_LONG, WHO, asks_to_write, smalltalk
from adapters.models.offline.talk.suggestions import suggestions
from adapters.models.offline.talk.wording import subject_of, title_of
from adapters.models.offline.talk.years import TITLE as DAYS
from adapters.models.offline.talk.years import Before, open_months, settled_year
from adapters.models.offline.world.defined import with_joins
from adapters.models.offline.world.schema import schema_of
from adapters.models.offline.world.values import LookedUp
from core.domain.chat import ChatRequest
from core.domain.definitions import Join, told

RUN_QUERY, VALUES = "run_query", "get_distinct_values"
UNANSWERABLE = "report_unanswerable"
_BESIDES = frozenset({LAST_DAY, DAYS, REACH})
_MOST_WORDS = 150
_MOST_TRIES = 3
_KEPT_WORLDS = 8


@dataclass(slots=True)
class Mind:
    """Keeps the worlds that it has read last, and nothing of what is said."""

    _worlds: OrderedDict[tuple[object, ...], World] = field(
        default_factory=OrderedDict[tuple[object, ...], World]
    )
    _lock: Lock = field(default_factory=Lock)

    def next_move(self, request: ChatRequest) -> Move:
        situation = situation_of(request)
        if request.json_only:
            return Say(_json(situation))
        whole = composed(situation)
        if whole is not None:
            return Say(whole)
        plain = self._plain_answer(situation)
        if plain is not None:
            return plain
        seen = seen_schema(situation)
        step = next_schema_step(situation, seen)
        if step is not None:
            return step
        world = self._world(situation, seen.columns, seen.rows) if seen is not None else None
        if world is None or not world.schema.tables:
            return _decline(situation, "I could not read the schema of this connection.")
        return _about_data(situation, world.with_definitions(situation.defined))

    def _plain_answer(self, situation: Situation) -> Move | None:
        """Answer what needs no data; greetings name tables once the schema is there."""
        if not situation.question:
            return Say(f"Please ask a question about the data. {WHO}")
        refusal = _refusal(situation.question)
        if refusal:
            return _decline(situation, refusal)
        looked_up = _looked_up_here(situation)
        if looked_up is not None:
            return Say(looked_up)
        seen = seen_schema(situation)
        tables = tuple(dict.fromkeys(str(row[0]) for row in seen.rows)) if seen else ()
        text = smalltalk(situation.question, tables=tables)
        if text is None:
            return None
        if seen is None and situation.offers("get_schema"):
            return ask("get_schema")
        return Say(text)

    def _world(
        self,
        situation: Situation,
        columns: tuple[str, ...],
        rows: tuple[tuple[object, ...], ...],
    ) -> World:
        joins = tuple(each for each in situation.defined if isinstance(each, Join))
        key = (columns, rows, situation.dialect, situation.today, joins)
        with self._lock:
            known = self._worlds.get(key)
            if known is not None:
                self._worlds.move_to_end(key)
                return known
        schema = with_joins(schema_of(columns, rows), joins)
        world = world_of(schema, dialect=situation.dialect, today=situation.today)
        with self._lock:
            self._worlds[key] = world
            while len(self._worlds) > _KEPT_WORLDS:
                self._worlds.popitem(last=False)
        return world


def _refusal(question: str) -> str:
    if len(question.split()) > _MOST_WORDS:
        return TOO_LONG.format(most=_MOST_WORDS)
    return REFUSAL if asks_to_write(question) else ""


def _looked_up_here(situation: Situation) -> str | None:
    """Answer what the conversation itself tells: what ran before, and what a word means."""
    if asks_for_sql(situation.question):
        return _shown_sql(situation)
    return definition_answer(situation.question, situation.defined)


def _shown_sql(situation: Situation) -> str:
    if not situation.last_sql:
        return "Nothing has been run for the answer before."
    return f"This ran for the last answer:\n```sql\n{situation.last_sql}\n```"


def _json(situation: Situation) -> str:
    if situation.system.startswith(PLANS):
        return plan_reply(situation.question, again=bool(situation.notes))
    return intent_reply(situation.question)


def _about_data(situation: Situation, world: World) -> Move:
    about_schema = catalog_answer(situation.question, world)
    if about_schema is not None:
        return Say(about_schema)
    named = with_figure(situation, world)
    return named if isinstance(named, Ask) else _about_figures(named, world)


def _about_figures(situation: Situation, world: World) -> Move:
    try:
        studied = _why(situation, world) or study(situation, world)
    except NotUnderstood as error:
        return _decline(situation, str(error))
    if studied is not None:
        return studied
    world = world.with_values(_looked_up(situation, world))
    return _read(situation, world)


def _read(situation: Situation, world: World) -> Move:
    """Read the question, settle what it leaves open, and run or tell what it asks for."""
    sketch = _sketch(situation, world)
    world = world.asked(" ".join((*situation.earlier[-1:], situation.question)))
    understanding = understand_sketch(sketch, world)
    lookup = _lookup_step(situation, understanding, world)
    dated = lookup or with_settled_date(situation, sketch, understanding, world)
    if isinstance(dated, Ask):
        return dated
    return _dated(situation, dated, world)


def _dated(situation: Situation, sketch: Sketch, world: World) -> Move:
    understanding = understand_sketch(sketch, world)
    settled = _settled(situation, sketch, understanding, world)
    if isinstance(settled, Ask):
        return settled
    if settled is not sketch:
        understanding = understand_sketch(settled, world)
    choice = ranking_choice(situation, understanding, world)
    if isinstance(choice, Ask):
        return choice
    if choice is not None:
        understanding = understand_sketch(choice.sketch, world)
    known = with_settled_words(situation, understanding, world)
    return known if isinstance(known, Ask) else _query_or_answer(situation, known, world, choice)


def _settled(
    situation: Situation, sketch: Sketch, understanding: Understanding, world: World
) -> Sketch | Ask:
    """Return the sketch with what only the data or a person can tell, or ask for that first."""
    before = _before(situation, sketch, world)
    settled = settled_year(sketch, understanding.best, before, situation, world)
    return settled if isinstance(settled, Ask) else with_widths(settled, situation, world)


def _why(situation: Situation, world: World) -> Move | None:
    """Answer `why?` with what made the figure of the question before change."""
    asked = asks_why(situation.question)
    if asked is None or not situation.earlier:
        return None
    falls, tail = asked
    before = _sketch(
        replace(situation, question=situation.earlier[-1], earlier=situation.earlier[:-1]), world
    )
    return why_again(situation, before, world, falls=falls, tail=tail)


def _before(situation: Situation, sketch: Sketch, world: World) -> Before | None:
    """Return what the question before was about, where that may settle a year."""
    if open_months(sketch) is None or not situation.earlier:
        return None
    *earlier, last = situation.earlier
    asked_before = replace(situation, question=last, hint="", earlier=tuple(earlier))
    return Before(_sketch(asked_before, world), situation.last_sql)


def _sketch(situation: Situation, world: World) -> Sketch:
    """Read the question, and the ones before it as far as it goes on from them."""
    sketch: Sketch | None = None
    asked = with_definitions(situation.question, situation.hint)
    for question in (*situation.earlier, asked):
        if _asks_nothing(question):
            continue
        if sketch is None:
            sketch = sketch_of(question, world)
            continue
        before, question = sketch, with_year_as_period(question)
        now = sketch_of(question, world)
        sketch = merged(sketch, now, question) if is_followup(question, now) else now
        if sketch.unexplained and question is not asked:
            # It was not answered, so nothing goes on from it.
            sketch = before
    return sketch if sketch is not None else sketch_of(situation.question, world)


def _asks_nothing(question: str) -> bool:
    """Say whether a question of the thread has no figure that another could go on from."""
    if smalltalk(question, tables=()) is not None or asks_to_write(question):
        return True
    return asks_for_sql(question) or asks_why(question) is not None


def _looked_up(situation: Situation, world: World) -> list[LookedUp]:
    found: list[LookedUp] = []
    for answer in situation.answers_of(VALUES):
        table = world.schema.table(answer.text("table"))
        column = table.column(answer.text("column")) if table is not None else None
        if column is not None:
            values = [str(row[0]) for row in answer.rows if row and row[0] is not None]
            found.append((column, answer.text("contains"), values))
    return found


def _lookup_step(situation: Situation, understanding: Understanding, world: World) -> Ask | None:
    if not situation.offers(VALUES) or situation.answers_of(VALUES):
        return None
    calls = tuple(
        Call(
            VALUES,
            {"table": each.column.table, "column": each.column.name, "contains": each.words},
        )
        for each in lookups_for(understanding, world)
    )
    return Ask(calls) if calls else None


def _query_or_answer(
    situation: Situation, understanding: Understanding, world: World, choice: Choice | None
) -> Move:
    ways = [way for way in understanding.ways if way.confidence >= SURE_ENOUGH]
    runs = tuple(r for r in situation.answers_of(RUN_QUERY) if r.text("title") not in _BESIDES)
    if runs and not runs[-1].error:
        return _ran(situation, runs, ways, world, choice)
    if not ways:
        return _decline(situation, not_understood(understanding, world))
    tried = {run.text("sql") for run in runs}
    untried = [way for way in ways if way.sql not in tried]
    if not untried or len(runs) >= _MOST_TRIES or not situation.offers(RUN_QUERY):
        return _decline(situation, failed(runs))
    way = untried[0]
    return ask(RUN_QUERY, sql=way.sql, title=title_of(way))


def _ran(
    situation: Situation,
    runs: tuple[ToolAnswer, ...],
    ways: list[Interpretation],
    world: World,
    choice: Choice | None,
) -> Move:
    """Answer what was run last; a time that is no day is first taken in hours."""
    of_sql = {way.sql: way for way in ways}
    first = of_sql.get(runs[0].text("sql"))
    shorter = in_hours(first, runs[0], world) if first is not None else None
    if shorter is not None and len(runs) == 1 and situation.offers(RUN_QUERY):
        return ask(RUN_QUERY, sql=shorter.sql, title=title_of(shorter))
    if shorter is not None:
        of_sql[shorter.sql] = shorter
    return _after_run(situation, runs[-1], of_sql.get(runs[-1].text("sql")), world, choice)


def _after_run(
    situation: Situation,
    run: ToolAnswer,
    way: Interpretation | None,
    world: World,
    choice: Choice | None,
) -> Move:
    """Answer; where a period was empty, find out first where the data ends."""
    asked = end_asked(situation, way, run, world) if way is not None else None
    if asked is not None:
        return asked
    text = _answer(situation, run, way, world, choice)
    return Say(text) if way is None else with_last_day(situation, text, way, run, world)


def _answer(
    situation: Situation,
    run: ToolAnswer,
    way: Interpretation | None,
    world: World,
    choice: Choice | None,
) -> str:
    title = run.text("title") or "The result"
    if situation.figures_doubted:
        lines = [f"{title}: the figures are in the table."]
    elif way is not None:
        lines = [told_course(run, subject_of(way, title), way, situation)]
    else:
        lines = [finding(run, Subject(title))]
    if way is not None:
        told = _definitions(situation, way, world)
        lines += [f"Assumption: {each}" for each in _assumptions(way, choice, told)]
        lines += [f"Suggestion: {each}" for each in suggestions(way, world)]
    return "\n".join(lines)


def _definitions(situation: Situation, way: Interpretation, world: World) -> list[str]:
    """Say which definitions a figure went by."""
    meant = [(option.table, option.column) for option in way.reading.chosen.values()]
    said = " ".join((situation.question, *situation.earlier))
    return [told(each) for each in world.defined.used(meant, said)]


def _assumptions(way: Interpretation, choice: Choice | None, told: list[str]) -> list[str]:
    read = f"Read by the offline analyst, by rules, as: {title_of(way)}"
    notes = [f"ranked by {choice.words}"] if choice is not None else []
    return [read, *told, *notes, *way.notes][: 3 + len(told)]


def _decline(situation: Situation, reason: str) -> Move:
    if situation.offers(UNANSWERABLE):
        return ask(UNANSWERABLE, reason=reason[:1_000])
    return Say(reason)
