"""`make bench`: measure every goal in one run, print the table, keep the figures as JSON.

`python -m bench P1 P8` measures only these.
"""

from __future__ import annotations

import asyncio
import importlib
import pkgutil
import platform
import sys
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import orjson

import bench
from bench.frame import Line, as_table

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
        sys.stderr.write(f"measuring {', '.join(module.GOALS)}\n")
        lines.extend(await module.measure())
    return [line for line in lines if not wanted or line.goal in wanted]


def main() -> None:
    lines = asyncio.run(measure_all(frozenset(word.upper() for word in sys.argv[1:])))
    OUT.mkdir(exist_ok=True)
    record = {
        "measured_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "lines": [line.as_record() for line in lines],
    }
    (OUT / "latest.json").write_bytes(orjson.dumps(record, option=orjson.OPT_INDENT_2))
    sys.stdout.write(as_table(lines) + "\n")
    verdicts = Counter(line.verdict for line in lines)
    sys.stdout.write(
        f"\n{verdicts['holds']} hold, {verdicts['MISSED']} missed, "
        f"{verdicts['NOT MEASURED']} not measured; {OUT / 'latest.json'}\n"
    )


if __name__ == "__main__":
    main()
