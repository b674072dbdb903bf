"""The last run of a file of questions, kept beside the state, and how this one differs from it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson
from pydantic import BaseModel, ConfigDict, ValidationError

from bot.evaluation.outcome import Outcome
from bot.evaluation.report import figures
from core.domain.chat import Json
from core.domain.errors import SettingsInvalid

_COMPARED = (
    "execution_accuracy",
    "answered_share",
    "accuracy_answered",
    "seconds_p50",
    "tokens",
    "cost_usd",
)


class _Kept(BaseModel):
    """What `eval --json --details` prints, of which the records are enough."""

    model_config = ConfigDict(extra="ignore")

    details: tuple[Outcome, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Ids of the questions whose result changed, and the figures over those in both runs."""

    better: tuple[str, ...]
    worse: tuple[str, ...]
    added: tuple[str, ...]
    gone: tuple[str, ...]
    figures: dict[str, tuple[Json, Json]]

    def as_json(self) -> dict[str, Json]:
        return {
            "better": list(self.better),
            "worse": list(self.worse),
            "added": list(self.added),
            "gone": list(self.gone),
            "figures": {
                name: {"before": before, "now": now} for name, (before, now) in self.figures.items()
            },
        }

    def lines(self) -> list[str]:
        """Return what changed in words, for people."""
        named = (("better", self.better), ("worse", self.worse), ("new", self.added))
        lines = [f"{name}: {', '.join(ids)}" for name, ids in named if ids]
        changed = [
            f"{name}: {before} before, {now} now"
            for name, (before, now) in self.figures.items()
            if before != now
        ]
        return ["", "Compared with the run before:", *(lines or ["the same results"]), *changed]


def place_of(file: Path, *, state_dir: Path, database: str) -> Path:
    """Return where the last run of this file on this database is kept."""
    key = hashlib.sha256(f"{file.resolve()}\n{database}".encode()).hexdigest()[:12]
    return state_dir / "evaluations" / f"{file.stem}-{key}.json"


def keep(path: Path, report: dict[str, Json]) -> None:
    """Write a report in one go, over the one before."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".new")
    draft.write_bytes(orjson.dumps(report))
    draft.replace(path)


def read_run(path: Path) -> tuple[Outcome, ...]:
    """Return the records of a report.

    Raises:
        SettingsInvalid: it is no report with details.
    """
    try:
        return _Kept.model_validate_json(path.read_bytes()).details
    except FileNotFoundError as error:
        raise SettingsInvalid(f"There is no file {path} to compare with.") from error
    except ValidationError as error:
        raise SettingsInvalid(
            f"{path} is no report to compare with. Make one with: "
            "resona eval FILE --json --details > report.json"
        ) from error


def compared(before: Sequence[Outcome], now: Sequence[Outcome], *, whole: bool) -> Change:
    """Say what changed; when only a part was asked (not `whole`), nothing counts as gone."""
    known = {each.id: each for each in before}
    asked = {each.id for each in now}
    both = [(known[each.id], each) for each in now if each.id in known]
    old, new = figures([one for one, _ in both]), figures([other for _, other in both])
    return Change(
        better=tuple(each.id for was, each in both if each.right and not was.right),
        worse=tuple(each.id for was, each in both if was.right and not each.right),
        added=tuple(each.id for each in now if each.id not in known),
        gone=tuple(each.id for each in before if whole and each.id not in asked),
        figures={name: (old[name], new[name]) for name in _COMPARED} if both else {},
    )
