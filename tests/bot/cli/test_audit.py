import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest

from adapters.inmemory.clock import SystemClock
from adapters.storage.opening import open_state
from bot.bootstrap import state_url
from bot.cli.main import main
from bot.settings import read_settings
from core.domain.audit import AuditEntry, Deed
from core.domain.ids import ConnectionName
from core.domain.query import CostEstimate
from tests.kit.trail import NOW, TURN

pytestmark = pytest.mark.usefixtures("demo")

KEYS = {
    "at",
    "deed",
    "actor",
    "actor_name",
    "workspace",
    "place",
    "thread",
    "run_id",
    "connection",
    "question",
    "sql",
    "query_hash",
    "rows",
    "seconds",
    "estimate",
    "decided_by",
    "note",
}


@pytest.fixture(autouse=True)
def asked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", "how many orders are there?", "--json"]) == 0
    capsys.readouterr()


def test_shows_what_was_read_for_whom(capsys: pytest.CaptureFixture[str]):
    assert main(["audit"]) == 0

    [line, *_] = capsys.readouterr().out.splitlines()
    assert "You (terminal), ran" in line
    assert "demo in terminal" in line
    assert "  1 row  " in line


def test_shows_how_far_an_estimate_was_off(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("COLUMNS", "40")  # of a terminal, which this is not
    estimate = CostEstimate(bytes=1e9, seconds=2, confidence="estimate")
    entry = AuditEntry.of(TURN, ConnectionName("sales"), at=NOW, deed=Deed.RAN)
    asyncio.run(written(replace(entry, rows=3, seconds=7.5, estimate=estimate)))

    assert main(["audit", "--connection", "sales"]) == 0

    assert "3 rows  7.50 s (usually under 2.00 s)" in capsys.readouterr().out


async def written(entry: AuditEntry) -> None:
    async with open_state(state_url(read_settings()), SystemClock()) as state:
        await state.audit.record(entry)


def test_gives_all_of_it_as_json(capsys: pytest.CaptureFixture[str]):
    assert main(["audit", "--json", "--connection", "demo", "--deed", "ran"]) == 0

    [entry, *_] = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert set(entry) == KEYS
    assert entry["question"] == "how many orders are there?"
    assert "SELECT" in entry["sql"]
    assert len(entry["query_hash"]) == 64


@pytest.mark.parametrize(
    "words",
    [["--person", "nobody"], ["--connection", "other"], ["--since", "2999-01-01"]],
)
def test_says_that_there_is_nothing_of_that_kind(
    capsys: pytest.CaptureFixture[str], words: list[str]
):
    assert main(["audit", *words]) == 0

    shown = capsys.readouterr()
    assert shown.out == ""
    assert "Nothing of that kind" in shown.err


def test_a_state_that_cannot_be_kept_is_said_with_what_to_do(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setenv("RESONA_STATE_URL", f"sqlite:///{tmp_path}")

    assert main(["audit"]) == 2
    assert "set state_url to another database" in capsys.readouterr().err


def test_the_doctor_looks_at_the_state_database(capsys: pytest.CaptureFixture[str]):
    assert main(["doctor"]) == 0

    assert "state database: " in capsys.readouterr().out


def test_every_deed_has_its_words(capsys: pytest.CaptureFixture[str]):
    for deed in Deed:
        entry = AuditEntry.of(TURN, ConnectionName("sales"), at=NOW, deed=deed)
        asyncio.run(written(entry))

    assert main(["audit", "--connection", "sales"]) == 0

    assert len(capsys.readouterr().out.splitlines()) == len(Deed)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--limit", "0"], "'0' is no whole number from 1 on"),
        (["--limit", "many"], "'many' is no whole number"),
        (["--since", "yesterday"], "'yesterday' is no day; write it like 2026-03-31"),
    ],
)
def test_a_wrong_argument_is_named(capsys: pytest.CaptureFixture[str], words: list[str], why: str):
    with pytest.raises(SystemExit) as ended:
        main(["audit", *words])

    assert ended.value.code == 2
    assert why in capsys.readouterr().err


def test_the_last_day_that_there_is_can_be_named():
    assert main(["audit", "--until", "9999-12-31", "--since", "0001-01-01"]) == 0
