"""`make bench`: measure every goal in one run, print the table, keep the figures as JSON.

`python -m bench P1 P8` measures only these.
"""

from __future__ import annotations

import asyncio
import importlib
import os
import pkgutil
import platform
import sys
import time
import traceback
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import orjson

import bench
from bench.frame import Line, as_table

# Goals of parts that do not exist yet: no module measures them.
_NOT_BUILT = {
    "P7": ("Teams activity to handler", "there is no adapter for Teams"),
    "P12": ("answers from the cache", "there is no semantic cache"),
    "P15": ("pandas result of the sandbox", "there is no Python sandbox"),
}

OUT = Path(__file__).parent / "out"


async def measure_all(wanted: frozenset[str]) -> list[Line]:
    """Run the modules `goal_*`, each of which has `GOALS` and an async `measure`."""
    lines: list[Line] = []
    for info in pkgutil.iter_modules(bench.__path__):
        if not info.name.startswith("goal_"):
            continue
        module = importlib.import_module(f"bench.{info.name}")
        if wanted and not wanted.intersection(module.GOALS):
            continue
        began, worked = time.perf_counter(), _worked()
        try:
            lines.extend(await module.measure())
        except Exception as error:
            # The other goals are measured all the same.
            traceback.print_exception(error)
            lines.extend(
                Line.without(goal, "its measurement broke", absent=repr(error)[:200])
                for goal in module.GOALS
            )
        took, cpu = time.perf_counter() - began, _worked() - worked
        goals = ", ".join(module.GOALS)
        sys.stderr.write(f"{goals}: measured in {took:.0f} s, of which {cpu:.0f} s of CPU\n")
    measured = {line.goal for line in lines}
    lines += [
        Line.without(goal, what, absent=why)
        for goal, (what, why) in _NOT_BUILT.items()
        if goal not in measured
    ]
    kept = (line for line in lines if not wanted or line.goal in wanted)
    return sorted(kept, key=lambda line: _number(line.goal))


def _worked() -> float:
    """Return the seconds of CPU of this process and of its children that have ended."""
    return sum(os.times()[:4])


def _number(goal: str) -> int:
    """Return the place of a goal in the table; what has no number of its own comes last."""
    return int(goal[1:]) if goal[1:].isdigit() else sys.maxsize


def main() -> None:
    began, load = time.perf_counter(), os.getloadavg()[0]
    lines = asyncio.run(measure_all(frozenset(word.upper() for word in sys.argv[1:])))
    seconds = round(time.perf_counter() - began)
    OUT.mkdir(exist_ok=True)
    record = {
        "measured_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "load_before": load,
        "seconds": seconds,
        "lines": [line.as_record() for line in lines],
    }
    (OUT / "latest.json").write_bytes(orjson.dumps(record, option=orjson.OPT_INDENT_2))
    sys.stdout.write(as_table(lines) + "\n")
    verdicts = Counter(line.verdict for line in lines)
    sys.stdout.write(
        f"\n{verdicts['HOLDS']} hold, {verdicts['MISSED']} missed, "
        f"{verdicts['NOT MEASURED']} not measured; {OUT / 'latest.json'}\n"
        f"It took {seconds} s on {os.cpu_count()} cores; the load was {load:.1f} before. Ratios and"
        " counts (x, bytes, MiB) bear a busy machine, times do not.\n"
    )


if __name__ == "__main__":
    main()
