"""Asks the model for the intent once, and reads what it wrote with patience."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from core.agent.intent import FAMILIES, UNSURE, Ambiguity, Intent
from core.agent.intent_keywords import by_keywords
from core.agent.loose_json import read_object
from core.domain.answer import Usage
from core.domain.chat import ChatReply, ChatRequest
from core.domain.errors import ModelError
from core.ports.chat_model import ChatModel
from core.toolkit.family import Family

MOST_OPTIONS = 5
_MOST_STEPS, _LONGEST_STEP = 20, 500


async def classify(
    model: ChatModel, request: ChatRequest, *, question: str, seconds: float
) -> tuple[Intent, Usage]:
    """Ask the model once; where it gives nothing that can be used, go by the words."""
    try:
        async with asyncio.timeout(seconds):
            reply = await model.complete(request)
    except (ModelError, TimeoutError):
        return by_keywords(question), Usage()
    return _read(reply, question), reply.usage


def _read(reply: ChatReply, question: str) -> Intent:
    written = read_object(reply.text) if reply.text.strip() else None
    if written is None:
        return by_keywords(question)
    try:
        return _Written.model_validate(written).intent(question)
    except ValidationError:
        return by_keywords(question)


class _WrittenAmbiguity(BaseModel):
    question: str
    options: list[str] = Field(default_factory=list[str])

    def sensible(self) -> Ambiguity | None:
        options = tuple(dict.fromkeys(each.strip() for each in self.options if each.strip()))
        if not self.question.strip() or len(options) < 2:
            return None
        return Ambiguity(question=self.question.strip(), options=options[:MOST_OPTIONS])


class _Written(BaseModel):
    """The model's own words, read with patience: what is wrong in one field spoils no other."""

    model_config = ConfigDict(extra="ignore")

    primary_intent: Family | None = None
    secondary_intents: list[Family] = Field(default_factory=list[Family])
    table_hints: list[str] = Field(default_factory=list[str])
    column_hints: list[str] = Field(default_factory=list[str])
    confidence: float = UNSURE
    complexity: str = "simple"
    one_at_a_time: bool = False
    steps: list[str] = Field(default_factory=list[str])
    ambiguities: list[_WrittenAmbiguity] = Field(default_factory=list[_WrittenAmbiguity])

    @field_validator("primary_intent", mode="before")
    @classmethod
    def _known(cls, value: object) -> Family | None:
        return _family(value)

    @field_validator("secondary_intents", mode="before")
    @classmethod
    def _known_ones(cls, value: object) -> list[Family]:
        found = (_family(each) for each in _listed(value))
        return [family for family in found if family is not None][:2]

    @field_validator("table_hints", "column_hints", mode="before")
    @classmethod
    def _names(cls, value: object) -> list[str]:
        return [each for each in _listed(value) if isinstance(each, str)][:20]

    @field_validator("steps", mode="before")
    @classmethod
    def _said_ones(cls, value: object) -> list[str]:
        said = (" ".join(each.split()) for each in _listed(value) if isinstance(each, str))
        return [each[:_LONGEST_STEP] for each in said if each][:_MOST_STEPS]

    @field_validator("ambiguities", mode="before")
    @classmethod
    def _whole_ones(cls, value: object) -> list[object]:
        return [each for each in _listed(value) if _has_options(each)][:3]

    @field_validator("confidence", mode="before")
    @classmethod
    def _share(cls, value: object) -> float:
        try:
            number = float(str(value).strip().rstrip("%"))
        except ValueError:
            return UNSURE
        share = number / 100 if number > 1 else number
        return min(max(share, 0.0), 1.0) if share == share else UNSURE

    @field_validator("complexity", mode="before")
    @classmethod
    def _word(cls, value: object) -> str:
        return str(value)

    @field_validator("one_at_a_time", mode="before")
    @classmethod
    def _yes(cls, value: object) -> bool:
        return value is True or str(value).casefold() == "true"

    def intent(self, question: str) -> Intent:
        guess = by_keywords(question)
        primary = self.primary_intent or guess.primary
        sensible = (each.sensible() for each in self.ambiguities)
        return Intent(
            primary=primary,
            secondary=tuple(each for each in self.secondary_intents if each is not primary),
            tables=tuple(self.table_hints),
            columns=tuple(self.column_hints),
            confidence=self.confidence,
            is_complex=self.complexity.casefold() == "complex",
            one_at_a_time=self.one_at_a_time or guess.one_at_a_time,
            steps=guess.steps or tuple(self.steps),
            ambiguities=tuple(each for each in sensible if each),
        )


def _family(value: object) -> Family | None:
    word = str(value).strip().casefold()
    return FAMILIES.get(word)


def _has_options(value: object) -> bool:
    return isinstance(value, dict) and {"question", "options"} <= {
        str(key) for key in cast("dict[object, object]", value)
    }


def _listed(value: object) -> Sequence[object]:
    if isinstance(value, list):
        return cast("list[object]", value)
    return [value] if isinstance(value, str) and value else []
