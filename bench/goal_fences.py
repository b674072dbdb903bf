"""FENCES: what guard and fences let through of the attacks, and what they refuse of honest work."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import pytest

from bench.frame import Line
from core.domain.query import Dialect
from core.sql.guard import Guard
from tests.kit.fences.attacks import ENGINES, Outcome, Tried
from tests.kit.fences.stages import Stage, stage
from tests.kit.statements import ATTACKS, GOLDS, HONEST, MORE_ATTACKS, MORE_HONEST, Sample

GOALS = ("FENCES",)
_HARMFUL = {Outcome.CHANGED, Outcome.OUTLIVED}
_NAMES = {
    Dialect.POSTGRES: "PostgreSQL",
    Dialect.MYSQL: "MariaDB",
    Dialect.SQLITE: "SQLite",
    Dialect.DUCKDB: "DuckDB",
}


async def measure() -> list[Line]:
    """Judge both corpora; then let the attacks loose on each engine, fence by fence."""
    lines = _by_the_guard()
    for dialect in ENGINES:
        try:
            with tempfile.TemporaryDirectory() as directory:
                async with stage(dialect, Path(directory)) as opened:
                    lines += await _on(opened)
        except pytest.skip.Exception as reason:
            lines.append(Line.without("FENCES", _NAMES[dialect], absent=str(reason)))
    return lines


def _by_the_guard() -> list[Line]:
    return [
        _counted("guard: attacks let through", (*ATTACKS, *MORE_ATTACKS), _is_allowed, most=0.0),
        _counted("guard: honest queries refused", (*HONEST, *MORE_HONEST), _is_refused, most=0.01),
        _counted("guard: right answers refused", GOLDS, _is_refused, most=0.01),
    ]


def _counted(
    what: str, samples: Sequence[Sample], counts: Callable[[Sample], bool], *, most: float
) -> Line:
    kinds = Counter(each.kind for each in samples if counts(each))
    return Line(
        goal="FENCES",
        what=f"{what}, of {len(samples)}",
        value=sum(kinds.values()),
        bound=int(most * len(samples)),
        unit="",
        note=_listed(kinds),
    )


async def _on(opened: Stage) -> list[Line]:
    """Try each fence alone, which shows what it is worth, and all of them, which has to hold."""
    name, all_of_them = _NAMES[opened.dialect], len(opened.attacks)
    lines = [
        _line(f"{name}, {_described(fence)}", await opened.with_fence(fence), most=all_of_them)
        for fence in opened.ways
    ]
    if opened.powerful_url:
        found = await opened.with_a_powerful_login()
        lines.append(_line(f"{name}, all fences but the safe role", found, most=all_of_them))
    lines.append(_line(f"{name}, all fences", await opened.with_all_fences(), most=0))
    found, _ = await opened.with_guard_and_fences()
    lines.append(_line(f"{name}, guard and fences", found, most=0))
    return lines


def _described(fence: str) -> str:
    return "no fence" if fence == "none" else f"{fence} alone"


def _line(what: str, found: Sequence[Tried], *, most: int) -> Line:
    outcomes = Counter(each.outcome for each in found)
    harm = [each.attack.kind for each in found if each.outcome in _HARMFUL]
    summary = ", ".join(f"{outcomes[each]} {each}" for each in Outcome if outcomes[each])
    kinds = _listed(Counter(harm))
    return Line(
        goal="FENCES",
        what=f"{what}: harm done by {len(found)} attacks",
        value=len(harm),
        bound=most,
        unit="",
        note=f"{summary}; harm: {kinds}" if kinds else summary,
    )


def _listed(kinds: Counter[str]) -> str:
    return ", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items()))


@cache
def _guard(dialect: Dialect) -> Guard:
    return Guard.without_catalog(dialect)


def _is_allowed(sample: Sample) -> bool:
    return _guard(sample.dialect).judge(sample.sql).allowed


def _is_refused(sample: Sample) -> bool:
    return not _is_allowed(sample)
