from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from adapters.web.secret_page import SecretAsked, SecretDoors, secret_routes
from core.domain.errors import StateUnusable

PUBLIC = "https://resona.example"
HUSH = "p<a>ss & \"w'ord"
LINKS = {"good"}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@dataclass
class Waiting:
    """One secret that is waited for, behind the token `good`."""

    got: list[str] = field(default_factory=list[str])
    away: bool = False

    async def waiting(self, token: str) -> SecretAsked | None:
        if self.away:
            raise StateUnusable("The disk is gone.")
        free = token in LINKS and not self.got
        return SecretAsked(name="sales", place="<shop> on db") if free else None

    async def receive(self, token: str, secret: str) -> bool:
        if await self.waiting(token) is None:
            return False
        self.got.append(secret)
        return True


@pytest.fixture
def waiting() -> Waiting:
    return Waiting()


Client = TestClient[web.Request, web.Application]


@pytest.fixture
async def client(waiting: Waiting) -> AsyncIterator[Client]:
    app = web.Application()
    doors = SecretDoors(waiting=waiting.waiting, receive=waiting.receive)
    app.add_routes(secret_routes(doors, public_url=PUBLIC))
    async with TestClient(TestServer(app), headers={"Host": "resona.example"}) as opened:
        yield opened


async def test_looking_changes_nothing_and_typing_works_once(client: Client, waiting: Waiting):
    text = ""
    for _ in range(3):
        async with client.get("/secrets/good") as shown:
            assert shown.status == 200
            text = await shown.text()
    async with client.head("/secrets/good") as looked:
        assert looked.status == 200
    assert "Password of sales" in text
    assert "&lt;shop&gt; on db" in text

    async with client.post("/secrets/good", data={"secret": HUSH}) as taken:
        assert taken.status == 200
        assert "p&lt;a" not in await taken.text()
    async with client.post("/secrets/good", data={"secret": "other"}) as again:
        assert again.status == 404
    async with client.get("/secrets/good") as later:
        assert later.status == 404
    assert waiting.got == [HUSH]


@pytest.mark.parametrize("path", ["/secrets/other", "/secrets/good"])
async def test_every_answer_is_kept_nowhere_and_tells_nobody(client: Client, path: str):
    async with client.get(path) as shown:
        headers = shown.headers
        text = await shown.text()

    assert headers["Cache-Control"] == "no-store"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["X-Frame-Options"] == "DENY"
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert "script" not in headers["Content-Security-Policy"]
    assert "<script" not in text
    assert "https://" not in text


async def test_its_style_is_its_own(client: Client):
    async with client.get("/secrets/good") as shown:
        assert 'href="/secrets/page/style.css"' in await shown.text()
    async with client.get("/secrets/page/style.css") as style:
        assert style.status == 200
        assert ".gate" in await style.text()


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Origin": "null", "Sec-Fetch-Site": "same-origin"}, 200),
        ({"Origin": PUBLIC, "Sec-Fetch-Site": "same-origin"}, 200),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null", "Sec-Fetch-Site": "cross-site"}, 403),
        ({"Host": "evil.example"}, 403),
    ],
)
async def test_what_comes_from_another_site_does_nothing(
    client: Client, waiting: Waiting, headers: dict[str, str], status: int
):
    async with client.post("/secrets/good", data={"secret": HUSH}, headers=headers) as taken:
        assert taken.status == status

    assert bool(waiting.got) is (status == 200)


async def test_the_link_may_be_followed_from_a_chat(client: Client):
    async with client.get("/secrets/good", headers={"Sec-Fetch-Site": "cross-site"}) as shown:
        assert shown.status == 200


@pytest.mark.parametrize("body", [b"", b"other=1", b"secret=" + b"x" * 2_001, b"y" * 20_000])
async def test_what_is_no_password_leaves_the_link_as_it_is(
    client: Client, waiting: Waiting, body: bytes
):
    async with client.post("/secrets/good", data=body, headers=FORM) as taken:
        assert taken.status == 400
    async with client.post("/secrets/good", json={"secret": HUSH}) as taken:
        assert taken.status == 400
    async with client.post("/secrets/good", data={"secret": ""}) as empty:
        assert empty.status == 200

    assert waiting.got == [""]


async def test_while_nothing_can_be_kept_it_says_so(client: Client, waiting: Waiting):
    waiting.away = True
    async with client.post("/secrets/good", data={"secret": HUSH}) as taken:
        assert taken.status == 503
        assert "try again" in await taken.text()
        assert taken.headers["Cache-Control"] == "no-store"
