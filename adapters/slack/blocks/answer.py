"""The one final answer: finding, chart, table, what it rests on, what to ask next."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from adapters.slack import limits, presses
from adapters.slack.blocks.chart import native_chart
from adapters.slack.blocks.message import Rendered, fitted, sections
from adapters.slack.blocks.table import left_out, native_table, text_table
from adapters.slack.text import cut, literal, mrkdwn
from adapters.slack.wire import Object, actions, button, context, fallback, section
from core.domain.answer import Answer, Shown, ShownChart
from core.domain.ids import FileId, RunId

FINDING = 7_500
_SUGGESTIONS = 3
_ERROR_TEXT = 3_500

Pictures = Mapping[FileId, str]
_NONE: Mapping[FileId, Object] = MappingProxyType({})


def native_answer(answer: Answer, run: RunId, pictures: Pictures) -> Rendered | None:
    """Return the answer with charts that Slack draws itself; None where none of them fits."""
    native = {
        chart.picture.id: made for chart in charts_of(answer) if (made := native_chart(chart))
    }
    drawn = dict(list(native.items())[: limits.CHARTS])
    return full_answer(answer, run, pictures, drawn) if drawn else None


def full_answer(
    answer: Answer, run: RunId, pictures: Pictures, drawn: Mapping[FileId, Object] = _NONE
) -> Rendered:
    """Return the answer with Slack's own table and the pictures that Slack has.

    `drawn` are charts that stand in the place of their pictures.
    """
    return Rendered(
        text=fallback(answer.text),
        blocks=fitted(
            [
                *_finding(answer),
                *_charts(answer, pictures, drawn),
                *_native_table(answer),
                *_footing(answer),
                *_buttons(answer, run),
            ]
        ),
    )


def simple_answer(answer: Answer, run: RunId) -> Rendered:
    """Return the answer in the oldest blocks alone, for when Slack refuses the newer ones."""
    table = _result_table(answer)
    shown = sections(text_table(table.table), 3_000) if table and table.table else []
    return Rendered(
        text=fallback(answer.text),
        blocks=fitted([*_finding(answer), *shown, *_footing(answer), *_actions(answer, run)]),
    )


def plain_answer(answer: Answer, error_id: str) -> Rendered:
    """Return the answer as text alone, with the id that finds the refusal in the log."""
    text = cut(mrkdwn(answer.text), _ERROR_TEXT)
    return Rendered(text=f"{text}\n_Shown as plain text (error {error_id})._")


def charts_of(answer: Answer) -> tuple[ShownChart, ...]:
    """Return the charts that a message shows, the result's first."""
    return tuple(chart for shown in _distinct(answer) for chart in shown.charts)[:3]


def _finding(answer: Answer) -> Iterator[Object]:
    yield from sections(mrkdwn(answer.text) or "Done.", FINDING)
    if answer.warnings:
        lines = "\n".join(f":warning: {literal(each)}" for each in answer.warnings)
        yield section(cut(lines, 1_500))


def _charts(answer: Answer, pictures: Pictures, drawn: Mapping[FileId, Object]) -> Iterator[Object]:
    for chart in charts_of(answer):
        file = pictures.get(chart.picture.id)
        if chart.picture.id in drawn:
            yield drawn[chart.picture.id]
        elif file:
            yield {
                "type": "image",
                "slack_file": {"id": file},
                "alt_text": cut(chart.alt_text or chart.title, limits.ALT_TEXT) or "Chart",
            }


def _native_table(answer: Answer) -> Iterator[Object]:
    shown = _result_table(answer)
    if shown is None or shown.table is None:
        return
    # One number says in a table nothing that the finding does not say.
    if len(shown.table.rows) == 1 and len(shown.table.columns) == 1:
        return
    table = native_table(shown.table, shown.title)
    if table is not None:
        yield table
    rest = left_out(shown.table)
    if rest:
        yield context(rest)


def _footing(answer: Answer) -> Iterator[Object]:
    if answer.assumptions:
        lines = "\n".join(f"Assumed: {literal(each)}" for each in answer.assumptions)
        yield context(cut(lines, 1_000))
    yield context(cut(_made_of(answer), 1_900))


def _made_of(answer: Answer) -> str:
    table = answer.result.table if answer.result else None
    more = "+" if table and table.truncated else ""
    rows = f"{table.row_count:,}{more} row{'' if table.row_count == 1 else 's'}" if table else ""
    parts = (
        literal(answer.connection),
        literal(cut(" · ".join(answer.conditions.in_short()), 300)),
        rows,
        answer.read,
        "figures checked" if answer.checked else "",
        f"{answer.seconds:.1f} s",
        literal(answer.model),
        answer.usage.cost_in_words if answer.usage.usd or answer.usage.unpriced else "",
    )
    return " · ".join(part for part in parts if part)


def _buttons(answer: Answer, run: RunId) -> Iterator[Object]:
    yield from _actions(answer, run)
    yield {"type": "context_actions", "elements": [_feedback(run)]}


def _actions(answer: Answer, run: RunId) -> Iterator[Object]:
    asks = [
        button(presses.numbered(presses.SUGGESTION, at), text, presses.value(run, at))
        for at, text in enumerate(answer.suggestions[:_SUGGESTIONS])
        if text.strip()
    ]
    sql = [button(presses.SHOW_SQL, "Show SQL", presses.value(run))] if answer.sql else []
    again = button(presses.AGAIN, "Run again", presses.value(run))
    yield actions("answer", [*asks, *sql, again])


def _feedback(run: RunId) -> Object:
    return {
        "type": "feedback_buttons",
        "action_id": presses.FEEDBACK,
        "positive_button": _thumb("Good answer", presses.value(run, 1)),
        "negative_button": _thumb("Bad answer", presses.value(run, 0)),
    }


def _thumb(text: str, value: str) -> Object:
    return {
        "text": {"type": "plain_text", "text": text},
        "value": value,
        "accessibility_label": text,
    }


def _result_table(answer: Answer) -> Shown | None:
    """Return what the one table of a message is: the result, or the first table shown."""
    return next((each for each in _distinct(answer) if each.table and each.table.rows), None)


def _distinct(answer: Answer) -> tuple[Shown, ...]:
    result = (answer.result,) if answer.result else ()
    return tuple({shown.id: shown for shown in (*result, *answer.shown)}.values())
