"""Questions with known answers, from JSON lines, YAML or CSV."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, cast

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)

from bot.asking import Status
from bot.evaluation.entries import Entry, Unreadable, reader_of, text_of
from core.domain.errors import SettingsInvalid

ExpectedCell = None | bool | int | float | str | date
ExpectedRows = tuple[tuple[ExpectedCell, ...], ...]


def _texts(value: object) -> object:
    """Take a list, a list written as JSON, one text, or nothing."""
    if not isinstance(value, str):
        return value
    if value.lstrip().startswith("["):
        return json.loads(value)
    return [value] if value.strip() else []


def _rows(value: object) -> object:
    """Take rows, one column of cells, or one figure; each also written as JSON."""
    if isinstance(value, str) and value.lstrip().startswith("["):
        return _rows(json.loads(value))
    if value is None or value == "":
        return None
    cells = cast("list[object]", value) if isinstance(value, list) else [value]
    return [cast("object", cell) if isinstance(cell, list) else [cell] for cell in cells]


_TRUTHS = {
    **dict.fromkeys(("wahr", "vrai", "verdadero", "vero", "ja", "x"), True),
    **dict.fromkeys(("falsch", "faux", "falso", "nein"), False),
}


def _truth(value: object) -> object:
    """Take true and false in the languages in which spreadsheets write them."""
    return _TRUTHS.get(value.strip().lower(), value) if isinstance(value, str) else value


class GoldQuestion(BaseModel):
    """Right is what gives the rows of any one `gold` statement, or those of `expect`.

    `says` are words that have to stand in the answer's text. `expect_status` alone says that it
    has to be answered, asked back or refused. `thread` are questions asked before in the same
    thread, `evidence` is a hint that comes with the question. `extra_columns` lets further
    columns be right as well. `category` and `difficulty` group the figures; other keys of the
    file are left alone.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", coerce_numbers_to_str=True)

    id: Annotated[str, Field(min_length=1)]
    question: Annotated[str, Field(min_length=1)]
    gold: Annotated[tuple[str, ...], BeforeValidator(_texts)] = ()
    expect: Annotated[ExpectedRows | None, BeforeValidator(_rows)] = None
    says: Annotated[tuple[str, ...], BeforeValidator(_texts)] = ()
    expect_status: Status | None = None
    thread: Annotated[tuple[str, ...], BeforeValidator(_texts)] = ()
    db: str = ""
    evidence: str = ""
    order_matters: Annotated[bool, BeforeValidator(_truth)] = False
    extra_columns: Annotated[bool, BeforeValidator(_truth)] = False
    category: str = ""
    difficulty: str = ""

    @model_validator(mode="before")
    @classmethod
    def _empty_is_absent(cls, value: object) -> object:
        # A table has a cell for every column, also where a question needs none.
        if not isinstance(value, dict):
            return value
        filled = cast("dict[object, object]", value)
        return {key: each for key, each in filled.items() if each != ""}

    @model_validator(mode="after")
    def _says_what_is_right(self) -> GoldQuestion:
        if not self.gold and not self.says and self.expect is None and not self.expect_status:
            raise ValueError("it needs a right answer: gold (SQL), expect, says or expect_status")
        return self

    @property
    def text(self) -> str:
        return f"{self.question}\nHint: {self.evidence}" if self.evidence else self.question

    @property
    def wanted(self) -> Status:
        """Return how it has to end."""
        return self.expect_status or "answered"


@dataclass(frozen=True, slots=True)
class Problem:
    """An entry that cannot be asked, and why, in one sentence."""

    where: str
    reason: str


@dataclass(frozen=True, slots=True)
class Questions:
    """What a file holds: the questions, and the entries that are none."""

    good: tuple[GoldQuestion, ...]
    problems: tuple[Problem, ...] = ()


def load_questions(path: Path) -> Questions:
    """Read a file by its ending: .jsonl, .yaml or .yml, .csv.

    An entry that does not fit is a problem of its own and leaves the others alone.

    Raises:
        SettingsInvalid: it cannot be read, or holds no entry at all.
    """
    read = reader_of(path)
    try:
        entries = tuple(read(text_of(path)))
    except Unreadable as error:
        raise SettingsInvalid(f"{path} cannot be read: {error}") from error
    if not entries:
        raise SettingsInvalid(f"{path} holds no question.")
    return _parted(entries)


def chosen(questions: Questions, *, only: Sequence[str], limit: int | None) -> Questions:
    """Return those that are asked for.

    Raises:
        SettingsInvalid: there is no question of such an id, or the limit is no count.
    """
    if limit is not None and limit < 1:
        raise SettingsInvalid("--limit takes a whole number from 1 on.")
    known = {each.id for each in questions.good}
    unknown = [each for each in only if each not in known]
    if unknown:
        raise SettingsInvalid(f"The file has no usable question with the id {unknown[0]!r}.")
    wanted = [each for each in questions.good if not only or each.id in only]
    return Questions(tuple(wanted[:limit]), questions.problems)


def _parted(entries: Iterable[Entry]) -> Questions:
    good: dict[str, GoldQuestion] = {}
    problems: list[Problem] = []
    places: dict[str, str] = {}
    for entry in entries:
        made = _question(entry)
        if isinstance(made, Problem):
            problems.append(made)
        elif made.id in good:
            first = places[made.id]
            problems.append(Problem(entry.where, f"has the id {made.id!r} of {first} once more."))
        else:
            good[made.id], places[made.id] = made, entry.where
    return Questions(tuple(good.values()), tuple(problems))


def _question(entry: Entry) -> GoldQuestion | Problem:
    if entry.broken:
        return Problem(entry.where, entry.broken)
    try:
        return GoldQuestion.model_validate(entry.value)
    except ValidationError as error:
        first = error.errors()[0]
        name = f"{first['loc'][0]}: " if first["loc"] else ""
        why = first["msg"].removeprefix("Value error, ")
        return Problem(entry.where, f"does not fit: {name}{why}.")
