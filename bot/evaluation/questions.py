"""Questions with the SQL that answers them, from JSON lines, YAML or CSV."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, cast

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from core.domain.errors import SettingsInvalid


def _statements(value: object) -> object:
    """Take a list, a list written as JSON, or one statement."""
    if not isinstance(value, str):
        return value
    if value.lstrip().startswith("["):
        return json.loads(value)
    return [value]


class GoldQuestion(BaseModel):
    """Any one of the `gold` statements is right; `evidence` is a hint that comes with the question.

    `category` groups questions in the details; other keys of the file are left alone.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", coerce_numbers_to_str=True)

    id: str
    question: Annotated[str, Field(min_length=1)]
    gold: Annotated[tuple[str, ...], BeforeValidator(_statements), Field(min_length=1)]
    db: str = ""
    evidence: str = ""
    order_matters: bool = False
    category: str = ""

    @property
    def text(self) -> str:
        return f"{self.question}\nHint: {self.evidence}" if self.evidence else self.question


def load_questions(path: Path) -> tuple[GoldQuestion, ...]:
    """Read a file by its ending: .jsonl, .yaml or .yml, .csv.

    Raises:
        SettingsInvalid: it cannot be read; the message names the line or the question.
    """
    readers = {".jsonl": _json_lines, ".yaml": _yaml, ".yml": _yaml, ".csv": _csv}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise SettingsInvalid(f"{path} must end in one of: {', '.join(readers)}.")
    try:
        records = list(reader(path.read_text(encoding="utf-8-sig")))
    except (ValueError, yaml.YAMLError, csv.Error) as error:
        raise SettingsInvalid(f"{path} cannot be read: {error}") from error
    if not records:
        raise SettingsInvalid(f"{path} holds no question.")
    return tuple(_question(path, number, each) for number, each in enumerate(records, start=1))


def _question(path: Path, number: int, record: object) -> GoldQuestion:
    try:
        return GoldQuestion.model_validate(record)
    except (ValidationError, ValueError) as error:
        first = str(error).replace("\n", " ")[:300]
        raise SettingsInvalid(f"Question {number} of {path} does not fit: {first}") from error


def _json_lines(text: str) -> Iterable[object]:
    return (cast("object", json.loads(line)) for line in text.splitlines() if line.strip())


def _yaml(text: str) -> Iterable[object]:
    found: object = yaml.safe_load(text)
    return cast("list[object]", found) if isinstance(found, list) else [found]


def _csv(text: str) -> Iterable[object]:
    return csv.DictReader(text.splitlines(keepends=True))
