"""P2, P3, P4: many turns at once in one worker, beside a peer and the ideal; the loop meanwhile."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable
from itertools import count
from pathlib import Path

import httpx

from bench.frame import Line
from bench.lateness import latest_of
from bench.raw_loops import QUESTION, ask_httpx, turn
from bench.server import model_server
from bench.stage import stage
from core.domain.catalog import Catalog, CatalogColumn, CatalogTable
from core.domain.query import Dialect
from core.domain.table import ColumnKind
from core.sql.gateway import LONG_STATEMENT as LONGEST_JUDGED
from core.sql.guard import Guard
from core.toolkit.lineage import origins
from core.tools.analyze.run_query import LONG_STATEMENT as LONGEST_FOLLOWED

GOALS = ("P2", "P3", "P4")
AT_ONCE = 64
PEERS = Path(__file__).parent / "peers"
MODEL_SECONDS = 0.2
# Three requests of 200 ms each, 64 side by side.
IDEAL = AT_ONCE / (3 * MODEL_SECONDS)


async def measure() -> list[Line]:
    """Take turns 64 at once, without a delay of the model and with one of 200 ms."""
    async with model_server() as url, stage(url) as product, httpx.AsyncClient() as client:
        ours = await _rate(lambda: product.turn(QUESTION), turns=4 * AT_ONCE)
        raw = await _rate(lambda: turn(ask_httpx(client, url)), turns=2 * AT_ONCE)
        peer = await _peer(url, turns=AT_ONCE)
    async with model_server(first_byte=MODEL_SECONDS) as url, stage(url) as product:
        slow = await _rate(lambda: product.turn(QUESTION), turns=6 * AT_ONCE)
        late = [
            (at_once, await latest_of(_many(lambda: product.turn(QUESTION), 4 * at_once, at_once)))
            for at_once in (16, AT_ONCE)
        ]
    return [
        _beside_peer(ours, peer, raw),
        Line(
            goal="P3",
            what="turns/s at 64 at once, model 200 ms",
            value=slow,
            bound=75,
            unit="/s",
            at_least=True,
            reference=IDEAL,
            product=slow,
            note=f"{slow / IDEAL:.0%} of the ideal",
        ),
        *(
            Line(
                goal="P4",
                what=f"loop late at {at_once} turns, p99",
                value=lateness,
                bound=15 if at_once == 16 else 60,
                unit="ms",
            )
            for at_once, lateness in late
        ),
        _longest_reading(),
    ]


def _longest_reading() -> Line:
    """Measure what is done in the loop with the longest statements that no thread is taken for."""
    columns = tuple(
        CatalogColumn(name=f"c{n}", type="INTEGER", kind=ColumnKind.MEASURE) for n in range(200)
    )
    catalog = Catalog(dialect=Dialect.SQLITE, tables=(CatalogTable(name="wide", columns=columns),))
    judged, followed = _sums_of(LONGEST_JUDGED), _sums_of(LONGEST_FOLLOWED)
    in_the_loop = (
        _cpu_of(lambda: Guard(catalog=catalog).judge(judged)),
        _cpu_of(lambda: Guard(catalog=catalog).judge(followed))
        + _cpu_of(lambda: origins(followed, catalog)),
    )
    return Line(
        goal="P4",
        what="the longest that SQL is read in the loop",
        value=max(in_the_loop),
        bound=25,
        unit="ms",
        note=f"{LONGEST_JUDGED:,} characters, from a table of 200 columns; the rest has a thread",
    )


def _sums_of(most_chars: int) -> str:
    """Return a statement of nearly so many characters."""
    each = (f"SUM(CASE WHEN c{n % 200} > {n} THEN c{n % 200} END) AS s{n}" for n in count())
    text = "SELECT " + next(each)
    for one in each:
        if len(text) + len(one) > most_chars - 30:
            break
        text += ", " + one
    return text + " FROM wide GROUP BY c1"


def _cpu_of(work: Callable[[], object]) -> float:
    """Return the milliseconds of CPU that it takes, the median of some runs."""
    taken: list[float] = []
    for _ in range(7):
        began = time.thread_time()
        work()
        taken.append(time.thread_time() - began)
    return statistics.median(taken) * 1_000


def _beside_peer(ours: float, peer: float | None, raw: float) -> Line:
    what = "turns/s at 64 at once beside the peer"
    if not peer:
        return Line.without("P2", what, absent="the peer is not installed: make bench does it")
    return Line(
        goal="P2",
        what=what,
        value=ours / peer,
        bound=4,
        unit="x",
        at_least=True,
        reference=peer,
        product=ours,
        note=f"{ours:.0f}/s; LangGraph {peer:.0f}/s, raw httpx {raw:.0f}/s",
    )


async def _rate(work: Callable[[], Awaitable[object]], *, turns: int) -> float:
    await _many(work, AT_ONCE, AT_ONCE)
    started = time.perf_counter()
    await _many(work, turns, AT_ONCE)
    return turns / (time.perf_counter() - started)


async def _many(work: Callable[[], Awaitable[object]], turns: int, at_once: int) -> None:
    places = asyncio.Semaphore(at_once)

    async def one() -> None:
        async with places:
            await work()

    async with asyncio.TaskGroup() as tasks:
        for _ in range(turns):
            tasks.create_task(one())


async def _peer(url: str, *, turns: int) -> float | None:
    """Return the peer's turns a second; None where `make bench` has not installed it."""
    python = PEERS / ".venv" / "bin" / "python"
    if not python.exists():
        return None
    process = await asyncio.create_subprocess_exec(
        python,
        PEERS / "langgraph_turns.py",
        url,
        str(turns),
        str(AT_ONCE),
        stdout=asyncio.subprocess.PIPE,
    )
    out, _ = await process.communicate()
    return float(out)
