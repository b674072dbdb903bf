"""What people think of answers, kept for evaluation: a line of JSON each, oldest first."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import orjson

from core.domain.ids import ActorId, RunId, WorkspaceId


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


async def forget(state_dir: Path, workspace: WorkspaceId) -> None:
    """Let go of what the people of a workspace thought."""
    await asyncio.to_thread(_without, state_dir / "feedback.jsonl", f"{workspace}:")


def _append(path: Path, line: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.write(line)


def _without(path: Path, theirs: str) -> None:
    if not path.exists():
        return
    lines = path.read_bytes().splitlines(keepends=True)
    left = [line for line in lines if not str(orjson.loads(line)["actor"]).startswith(theirs)]
    draft = path.with_suffix(".draft")
    draft.write_bytes(b"".join(left))
    draft.replace(path)
