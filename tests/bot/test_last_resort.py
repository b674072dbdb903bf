"""All models are down: the offline analyst answers, and says so, unless that is not wanted."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, closing
from pathlib import Path

import pytest

from adapters.inmemory.surface import InMemorySurface
from adapters.models.offline.analyst import NAME
from bot.asking import Addressed, Asked, ask
from bot.bootstrap import open_app
from bot.cli.main import main
from bot.settings import Settings
from core.domain.chat import Json
from core.domain.ids import ThreadId
from tests.kit.openai_server import OpenAIServer
from tests.kit.openai_wire import Failure, Reply
from tests.kit.turn_stage import small_shop

QUESTION = "How many orders are there?"
NOWHERE = "http://127.0.0.1:1/v1"
REFUSED = Failure(401, {"error": {"message": "Incorrect API key provided: sk-secret-1"}})


def settings(folder: Path, url: str, **model: Json) -> Settings:
    small_shop(folder / "shop.sqlite")
    other: dict[str, Json] = {"provider": "openai_protocol", "base_url": url, "model": "other-1"}
    return Settings.model_validate(
        {
            "state_dir": folder / "state",
            "model": {**other, "model": "main-1", **model},
            "models": {"other": other},
            "connections": {"shop": {"url": str(folder / "shop.sqlite")}},
        }
    )


@pytest.fixture
async def server() -> AsyncIterator[OpenAIServer]:
    async with OpenAIServer() as server:
        server.respond = lambda _: REFUSED
        yield server


async def asked_of(given: Settings, *, model: str = "") -> Asked:
    async with AsyncExitStack() as stack:
        app = await stack.enter_async_context(open_app(given))
        return await ask(
            app,
            QUESTION,
            surface=InMemorySurface(),
            decide=lambda _: None,
            to=Addressed(thread=ThreadId("one"), model=model),
        )


def orders_in(folder: Path) -> int:
    with closing(sqlite3.connect(folder / "shop.sqlite")) as database:
        return int(database.execute("SELECT count(*) FROM orders").fetchone()[0])


@pytest.mark.parametrize("fallbacks", [[], ["other"]])
@pytest.mark.parametrize("model", ["", "other"])
async def test_the_offline_analyst_answers_and_the_reader_knows_why(
    tmp_path: Path, server: OpenAIServer, fallbacks: list[Json], model: str
):
    asked = await asked_of(settings(tmp_path, server.url, fallbacks=fallbacks), model=model)

    answer = asked.view.answer
    assert answer is not None
    assert answer.model == NAME
    assert str(orders_in(tmp_path)) in answer.text
    assert any("The offline analyst answered instead" in each for each in answer.warnings)
    assert "sk-secret" not in " ".join(answer.warnings)


async def test_it_does_not_answer_where_that_is_not_wanted(tmp_path: Path, server: OpenAIServer):
    given = settings(tmp_path, server.url, offline_when_down=False)

    asked = await asked_of(given)

    assert asked.view.answer is None
    assert "asks for a key" in asked.view.failure


async def test_one_failure_on_the_way_is_none_of_its_business(tmp_path: Path, server: OpenAIServer):
    server.queue(Failure(500), Failure(500), Reply(text=("I", " do not", " know.")))

    asked = await asked_of(settings(tmp_path, server.url))

    assert asked.view.answer is not None
    assert asked.view.answer.text == "I do not know."
    assert asked.view.answer.warnings == ()


def test_the_terminal_says_it_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    small_shop(tmp_path / "shop.sqlite")
    for name, value in {
        "STATE_DIR": str(tmp_path / "state"),
        "MODEL__PROVIDER": "openai_protocol",
        "MODEL__BASE_URL": NOWHERE,
        "MODEL__MODEL": "main-1",
        "MODEL__CONNECT_SECONDS": "1",
    }.items():
        monkeypatch.setenv(f"RESONA_{name}", value)
    monkeypatch.chdir(tmp_path)

    code = main(["ask", "--json", "--connection", str(tmp_path / "shop.sqlite"), QUESTION])

    said = json.loads(capsys.readouterr().out)
    assert (code, said["status"], said["model"]) == (0, "answered", NAME)
    assert any("The offline analyst answered instead" in each for each in said["warnings"])
