"""Which database each question is asked of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.bootstrap import DEMO
from bot.evaluation.questions import GoldQuestion, Problem
from bot.settings import ConnectionSettings, Settings
from core.domain.ids import ConnectionName
from core.domain.names import unknown_name

_SUFFIXES = ("sqlite", "sqlite3", "db", "duckdb")


@dataclass(frozen=True, slots=True, kw_only=True)
class Databases:
    """The questions that can be asked, and of what; `all_of` is the one connection for all.

    `name` tells runs on different databases apart.
    """

    settings: Settings
    questions: tuple[GoldQuestion, ...]
    problems: tuple[Problem, ...] = ()
    all_of: ConnectionName | None = None
    by_db: bool = False
    name: str = ""

    def connection_of(self, question: GoldQuestion) -> ConnectionName | None:
        return ConnectionName(question.db) if self.by_db and question.db else self.all_of


def of_connections(
    settings: Settings, chosen: ConnectionName | None, questions: Sequence[GoldQuestion]
) -> Databases:
    """Ask the chosen connection; without one, each the connection that its `db` names."""
    if chosen is not None:
        return Databases(settings=settings, questions=tuple(questions), all_of=chosen, name=chosen)
    known = {"", DEMO, *settings.connections}
    return Databases(
        settings=settings,
        questions=tuple(each for each in questions if each.db in known),
        problems=tuple(
            Problem(
                f"question {each.id!r}",
                f"{unknown_name('connection', each.db, sorted(known - {''}))} "
                "Give --db-dir DIR or --connection NAME.",
            )
            for each in questions
            if each.db not in known
        ),
        by_db=True,
    )


def in_folder(settings: Settings, questions: Sequence[GoldQuestion], folder: Path) -> Databases:
    """Make a connection of each database file that a question names."""
    files = {name: _file(folder, name) for name in {question.db for question in questions}}
    known = {
        name: ConnectionSettings.model_validate({"url": str(path)})
        for name, path in files.items()
        if path is not None
    }
    return Databases(
        settings=settings.model_copy(update={"connections": {**settings.connections, **known}}),
        questions=tuple(each for each in questions if each.db in known),
        problems=tuple(
            Problem(f"question {each.id!r}", _missing(folder, each.db))
            for each in questions
            if each.db not in known
        ),
        by_db=True,
        name=str(folder.resolve()),
    )


def _missing(folder: Path, name: str) -> str:
    return (
        f"{folder} holds no database file for {name or '(no db given)'}. "
        f"Expected a name such as {folder / (Path(name).name or 'NAME')}.sqlite."
    )


def _file(folder: Path, name: str) -> Path | None:
    # A name comes out of a file; it must not lead out of the folder.
    if not name or name != Path(name).name:
        return None
    places = (folder / f"{name}.{suffix}" for suffix in _SUFFIXES)
    nested = (folder / name / f"{name}.{suffix}" for suffix in _SUFFIXES)
    return next((path for path in (*places, *nested) if path.is_file()), None)
