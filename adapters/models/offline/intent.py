"""Says what kind of work a question asks for, as the JSON that is asked for."""

from __future__ import annotations

import re

import orjson

from adapters.models.offline.study.planning import is_complex
from adapters.models.offline.talk.smalltalk import asks_to_write, smalltalk

_SCHEMA = re.compile(
    r"\b(tables?|columns?|schema|describe|structure|fields?|data model)\b", re.IGNORECASE
)
_TIME = re.compile(
    r"\b(monthly|weekly|daily|yearly|quarterly|trend|over time|growth|grew|by (day|week|month"
    r"|quarter|year)|per (day|week|month|quarter|year))\b",
    re.IGNORECASE,
)
_ODD = re.compile(r"\b(outliers?|anomal\w+|unusual\w*|abnormal\w*|odd)\b", re.IGNORECASE)
_COMPARE = re.compile(r"\b(compare|versus|vs|difference between|compared)\b", re.IGNORECASE)


def intent_reply(question: str) -> str:
    """Return one JSON object; the offline analyst asks back itself, so it is always sure here."""
    primary, secondary = _families(question)
    return orjson.dumps(
        {
            "primary_intent": primary,
            "secondary_intents": secondary,
            "table_hints": [],
            "column_hints": [],
            "confidence": 0.9,
            "complexity": "complex" if is_complex(question) else "simple",
            "ambiguities": [],
        }
    ).decode()


def _families(question: str) -> tuple[str, list[str]]:
    if asks_to_write(question) or smalltalk(question, tables=()) is not None:
        return "conversational", []
    if _ODD.search(question):
        return "quality", ["analyze", "explore"]
    if _TIME.search(question):
        return "time", ["analyze", "explore"]
    if _COMPARE.search(question):
        return "compare", ["analyze", "explore"]
    if _SCHEMA.search(question) and len(question.split()) < 12:
        return "explore", ["analyze"]
    return "analyze", ["explore"]
