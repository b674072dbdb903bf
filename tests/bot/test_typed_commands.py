from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from bot.bootstrap import open_app
from bot.http import web_application
from bot.settings import Settings
from bot.typed_commands import in_words
from core.domain.connection_draft import ConnectionDraft
from core.domain.events import Event, TurnFinished, load
from core.domain.replies import Confirm, FormWanted, Group, Item, Listed

Client = TestClient[web.Request, web.Application]


@pytest.fixture
async def page(tmp_path: Path) -> AsyncIterator[Client]:
    settings = Settings.model_validate({"state_dir": tmp_path, "limits": {"burst": 3}})
    async with open_app(settings) as app, TestClient(TestServer(web_application(app))) as client:
        yield client


async def asked(page: Client, question: str) -> list[Event]:
    async with page.post("/api/turns", json={"question": question}) as response:
        assert response.status == 200
        lines = (await response.text()).splitlines()
    return [load(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]


async def test_a_command_on_the_page_is_answered_without_a_model(page: Client):
    events = await asked(page, "/resona connections")

    [_, end] = events
    assert isinstance(end, TurnFinished)
    assert "You may ask 1 database here." in end.answer.text
    assert "- **demo**" in end.answer.text
    assert (end.answer.model, end.answer.sql) == ("", ())


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("/resona", "connections"),
        ("/Resona hlep", "Did you mean 'help'?"),
        ("/resona use demo", "no channel here"),
        ("/resona connect", "Only admins"),
    ],
)
async def test_what_is_wrong_or_not_for_the_page_is_said(page: Client, given: str, told: str):
    end = (await asked(page, given))[-1]

    assert isinstance(end, TurnFinished)
    assert told in end.answer.text


async def test_commands_count_against_the_limit_too(page: Client):
    for _ in range(3):
        await asked(page, "/resona help")
    async with page.post("/api/turns", json={"question": "/resona help"}) as response:
        assert response.status == 429


async def test_a_question_that_begins_like_one_is_a_question(page: Client):
    end = (await asked(page, "/resonance of orders?"))[-1]

    assert not isinstance(end, TurnFinished) or end.answer.model


def test_where_there_are_no_buttons_the_words_to_write_are_given():
    confirm = Confirm(text="Disconnect sales?", label="Yes", command="disconnect sales yes")
    listed = Listed(
        text="Two.", groups=(Group(title="Here", items=(Item(title="a", detail="b"),)),)
    )

    assert in_words(confirm) == "Disconnect sales? To do it, write: /resona disconnect sales yes"
    assert in_words(listed) == "Two.\n\n**Here**\n\n- **a** b"
    assert "resona connect add" in in_words(FormWanted(draft=ConnectionDraft()))
