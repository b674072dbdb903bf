"""The windows that open over Slack: own words, what was wrong, the SQL of an answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import orjson
from pydantic import BaseModel

from adapters.slack import limits, presses
from adapters.slack.doors import PastRun
from adapters.slack.places import Place
from adapters.slack.text import code, cut, in_sections, literal
from adapters.slack.wire import Object, context, plain, section
from core.domain.answer import ExecutedSql

_MOST_SQL = 20_000
_MOST_WORDS = 2_000


class Kept(BaseModel):
    """What a window remembers of the press that opened it: ids alone."""

    id: str
    team: str
    channel: str
    thread: str
    message: str
    private: bool

    @classmethod
    def of(cls, id: str, place: Place, message: str) -> Kept:
        return cls(
            id=id,
            team=place.team,
            channel=place.channel,
            thread=place.thread,
            message=message,
            private=place.private,
        )

    @property
    def place(self) -> Place:
        return Place(team=self.team, channel=self.channel, thread=self.thread, private=self.private)


class _Words(BaseModel):
    value: str | None = None


class _State(BaseModel):
    values: Mapping[str, Mapping[str, _Words]] = {}


class Submitted(BaseModel):
    """A window that was sent off."""

    callback_id: str
    private_metadata: str
    state: _State

    @property
    def kept(self) -> Kept:
        return Kept.model_validate_json(self.private_metadata)

    @property
    def words(self) -> str:
        given = self.state.values.get(presses.WORDS_BLOCK, {}).get(presses.WORDS_ACTION)
        return (given.value or "").strip() if given else ""


def own_words(question: str, kept: Kept) -> Object:
    """Return the window for an answer that none of the options is."""
    return _asking(
        presses.OWN_WORDS_VIEW, kept, title="In your own words", label=question, submit="Answer"
    )


def what_was_wrong(kept: Kept) -> Object:
    return _asking(
        presses.WHAT_WAS_WRONG_VIEW,
        kept,
        title="What was wrong?",
        label="What should the answer have said?",
        submit="Send",
    )


def sql_and_steps(past: PastRun) -> Object:
    """Return the window with what ran for the answer, how it got there, and what was looked up."""
    blocks = [*_ran(past.answer.main_sql)]
    steps = "\n".join(f"• {literal(f'{step.title}: {step.summary}')}" for step in past.steps)
    blocks.extend(section(piece) for piece in in_sections(cut(steps, 9_000)))
    look_ups = past.answer.look_ups
    if look_ups:
        number = f"{len(look_ups)} look-up{'' if len(look_ups) == 1 else 's'}"
        blocks += [section(f"*{number}* on the way to it"), *_ran(look_ups)]
    return {
        "type": "modal",
        "callback_id": presses.SQL_VIEW,
        "title": plain("SQL and steps", limits.VIEW_TITLE),
        "close": plain("Close", limits.VIEW_TITLE),
        "blocks": [*blocks[: limits.VIEW_BLOCKS]] or [section("No query ran.")],
    }


def _ran(statements: Sequence[ExecutedSql]) -> Iterator[Object]:
    for each in statements:
        yield context(f"{each.rows:,} rows in {each.seconds:.2f} s")
        for piece in in_sections(code(cut(each.sql, _MOST_SQL)), 2_900):
            yield section(piece)


def _asking(callback: str, kept: Kept, *, title: str, label: str, submit: str) -> Object:
    # A label takes fewer characters than a question may have, and no marks.
    return {
        "type": "modal",
        "callback_id": callback,
        "private_metadata": orjson.dumps(kept.model_dump()).decode(),
        "title": plain(title, limits.VIEW_TITLE),
        "submit": plain(submit, limits.VIEW_TITLE),
        "close": plain("Back", limits.VIEW_TITLE),
        "blocks": [
            {
                "type": "input",
                "block_id": presses.WORDS_BLOCK,
                "label": plain(label, limits.INPUT_LABEL),
                "element": {
                    "type": "plain_text_input",
                    "action_id": presses.WORDS_ACTION,
                    "multiline": True,
                    "max_length": _MOST_WORDS,
                },
            }
        ],
    }
