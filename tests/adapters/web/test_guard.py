import pytest

from adapters.web.guard import cookie_of
from tests.kit.page_client import Client
from tests.kit.scripted_doors import ScriptedDoors

QUESTION = {"question": "top 5 products"}


@pytest.mark.parametrize("host", ["localhost:8080", "127.0.0.1", "[::1]:8080", "LOCALHOST"])
async def test_without_a_token_this_machine_is_served(client: Client, host: str):
    response = await client.get("/api/state", headers={"Host": host})

    assert response.status == 200


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example:80", "10.0.0.7", "[", ""])
@pytest.mark.parametrize("path", ["/", "/api/state", "/page/app.js"])
async def test_without_a_token_no_other_name_is_served(client: Client, host: str, path: str):
    response = await client.get(path, headers={"Host": host})

    assert response.status == 403
    assert "localhost" in (await response.json())["error"]


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
@pytest.mark.parametrize("path", ["/api/turns", "/api/decisions", "/api/runs/x/stop"])
async def test_another_site_changes_nothing(
    client: Client, scripted: ScriptedDoors, headers: dict[str, str], path: str
):
    response = await client.post(path, json=QUESTION, headers=headers)

    assert response.status == 403
    assert "another site" in (await response.json())["error"]
    assert not scripted.asked
    assert not scripted.stopped


async def test_the_page_itself_may(client: Client):
    origin = str(client.make_url("/")).rstrip("/")

    response = await client.post(
        "/api/turns", json=QUESTION, headers={"Origin": origin, "Sec-Fetch-Site": "same-origin"}
    )

    assert response.status == 200


async def test_with_a_token_nobody_gets_in_without_it(guarded: Client, scripted: ScriptedDoors):
    page = await guarded.get("/")
    asked = await guarded.post("/api/turns", json=QUESTION)
    wrong = await guarded.get("/api/state", headers={"Authorization": "Bearer nonsense"})
    file = await guarded.get(f"/api/files/{'0' * 32}")

    assert [each.status for each in (page, asked, wrong, file)] == [401] * 4
    assert 'name="token"' in await page.text()
    assert "token" in (await asked.json())["error"]
    assert asked.headers["WWW-Authenticate"].startswith("Bearer")
    assert not scripted.asked


async def test_the_token_opens_by_header_from_any_name(guarded: Client):
    response = await guarded.post(
        "/api/turns",
        json=QUESTION,
        headers={"Authorization": "Bearer a long token", "Host": "resona.example"},
    )

    assert response.status == 200


async def test_the_token_in_the_address_becomes_a_cookie_and_leaves_the_address(guarded: Client):
    entered = await guarded.get("/", params={"token": "a long token"}, allow_redirects=False)

    assert entered.status == 303
    assert entered.headers["Location"] == "/"
    cookie = entered.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "a long token" not in cookie
    assert (await guarded.get("/")).status == 200
    assert (await guarded.get("/api/state")).status == 200


async def test_behind_https_the_cookie_is_for_https_only(guarded: Client):
    entered = await guarded.get(
        "/",
        params={"token": "a long token"},
        headers={"X-Forwarded-Proto": "https"},
        allow_redirects=False,
    )

    assert "Secure" in entered.headers["Set-Cookie"]


async def test_a_wrong_token_in_the_address_opens_nothing(guarded: Client):
    response = await guarded.get("/", params={"token": "guess"}, allow_redirects=False)

    assert response.status == 401
    assert "Set-Cookie" not in response.headers


async def test_the_proof_in_the_cookie_is_not_the_token():
    assert cookie_of("one") != cookie_of("other")
    assert "one" not in cookie_of("one")


@pytest.mark.parametrize("path", ["/", "/api/state", "/page/app.js", "/api/nothing"])
async def test_every_answer_bears_the_headers_that_keep_it_harmless(client: Client, path: str):
    headers = (await client.get(path)).headers

    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
