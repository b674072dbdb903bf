"""What people think of answers, kept for evaluation: a line of JSON each, oldest first."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import orjson

from core.domain.ids import ActorId, RunId


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """`words` say what the answer should have been, where somebody wrote it."""

    at: datetime
    run: RunId
    actor: ActorId
    good: bool
    words: str
    question: str
    sql: tuple[str, ...]


async def keep(state_dir: Path, opinion: Opinion) -> None:
    """Add the opinion to `feedback.jsonl`."""
    line = orjson.dumps(opinion, option=orjson.OPT_APPEND_NEWLINE)
    await asyncio.to_thread(_append, state_dir / "feedback.jsonl", line)


def _append(path: Path, line: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.write(line)
