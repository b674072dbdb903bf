import json

import pytest
from aiohttp import ClientResponse

from core.domain.decisions import Approved, Choice, Clarified
from core.domain.events import Event, TurnFailed, TurnFinished, TurnPaused, TurnStarted, load
from tests.kit.grammar import assert_well_formed
from tests.kit.page_client import Client
from tests.kit.scripted_doors import ScriptedDoors


async def test_answers_a_question_with_the_events_of_its_run(client: Client):
    response = await client.post("/api/turns", json={"question": "top 5 products"})

    events = [event for _, event in await read_all(response)]
    assert response.content_type == "text/event-stream"
    assert_well_formed(events)
    assert isinstance(events[0], TurnStarted)
    assert events[0].run_id == response.headers["X-Run-Id"]
    assert isinstance(events[-1], TurnFinished)


async def test_the_thread_of_the_first_answer_goes_on_with_the_second(
    client: Client, scripted: ScriptedDoors
):
    response = await client.post("/api/turns", json={"question": "top 5 products"})
    _, started = (await read_all(response))[0]
    assert isinstance(started, TurnStarted)

    await client.post("/api/turns", json={"question": "only Spain", "thread": started.thread_id})

    assert scripted.asked[0].thread == scripted.asked[1].thread == started.thread_id


async def test_a_thread_of_another_platform_cannot_be_named(
    client: Client, scripted: ScriptedDoors
):
    await client.post("/api/turns", json={"question": "hello", "thread": "C012:1700000000.000100"})

    assert scripted.asked[0].thread == "page:C012:1700000000.000100"


async def test_the_same_message_sent_twice_is_one_turn(client: Client, scripted: ScriptedDoors):
    body = {"question": "top 5 products", "thread": "t1", "id": "m1"}

    first = await client.post("/api/turns", json=body)
    second = await client.post("/api/turns", json=body)

    assert first.headers["X-Run-Id"] == second.headers["X-Run-Id"]
    assert await read_all(first) == await read_all(second)
    assert len(scripted.asked) == 1


async def test_a_reader_who_comes_back_gets_what_they_have_not_seen(client: Client):
    response = await client.post("/api/turns", json={"question": "top 5 products"})
    everything = await read_all(response)
    run = response.headers["X-Run-Id"]

    by_header = await client.get(f"/api/runs/{run}/events", headers={"Last-Event-ID": "3"})
    by_query = await client.get(f"/api/runs/{run}/events", params={"after": "3"})

    assert await read_all(by_header) == everything[3:]
    assert await read_all(by_query) == everything[3:]


async def test_nothing_follows_the_last_event(client: Client):
    response = await client.post("/api/turns", json={"question": "top 5 products"})
    everything = await read_all(response)

    again = await client.get(
        f"/api/runs/{response.headers['X-Run-Id']}/events",
        headers={"Last-Event-ID": str(len(everything))},
    )

    assert again.status == 204
    assert await again.read() == b""


async def test_a_run_goes_on_when_its_reader_hangs_up(client: Client, scripted: ScriptedDoors):
    response = await client.post("/api/turns", json={"question": "a slow one"})
    await response.content.readuntil(b"\n\n")
    response.close()

    scripted.go_on.set()
    again = await client.get(f"/api/runs/{response.headers['X-Run-Id']}/events")

    assert isinstance((await read_all(again))[-1][1], TurnFinished)


async def test_a_silent_run_shows_that_it_is_alive(client: Client, scripted: ScriptedDoors):
    response = await client.post("/api/turns", json={"question": "a slow one"})

    await response.content.readuntil(b": still here\n\n")

    scripted.go_on.set()
    assert isinstance((await read_all(response))[-1][1], TurnFinished)


async def test_stops_a_run(client: Client):
    response = await client.post("/api/turns", json={"question": "a slow one"})
    run = response.headers["X-Run-Id"]

    stopped = await client.post(f"/api/runs/{run}/stop", json={})
    _, last = (await read_all(response))[-1]

    assert await stopped.json() == {"stopped": True}
    assert isinstance(last, TurnFailed)
    assert last.stopped
    assert await (await client.post(f"/api/runs/{'0' * 32}/stop")).json() == {"stopped": False}


async def test_an_answer_in_words_goes_on_with_the_turn(client: Client, scripted: ScriptedDoors):
    paused = await ask_until_paused(client, "unclear")

    response = await client.post(
        "/api/decisions", json={"decision": paused.decision.id, "text": " Revenue "}
    )

    _, started = (await read_all(response))[0]
    assert isinstance(started, TurnStarted)
    assert started.turn_id == paused.turn_id
    assert started.run_id == response.headers["X-Run-Id"]
    [answer] = scripted.decisions
    assert isinstance(answer, Clarified)
    assert answer.text == "Revenue"


async def test_an_approval_takes_a_choice(client: Client, scripted: ScriptedDoors):
    paused = await ask_until_paused(client, "expensive")

    await client.post("/api/decisions", json={"decision": paused.decision.id, "choice": "cheaper"})

    [answer] = scripted.decisions
    assert isinstance(answer, Approved)
    assert answer.choice is Choice.CHEAPER


async def test_a_decision_that_was_made_already_is_told_so(client: Client):
    paused = await ask_until_paused(client, "unclear")
    body = {"decision": paused.decision.id, "text": "Revenue"}
    await client.post("/api/decisions", json=body)

    again = await client.post("/api/decisions", json=body)

    assert again.status == 409
    assert "answered already" in await error_of(again)


async def test_over_the_limit_it_says_when_to_try_again(client: Client, scripted: ScriptedDoors):
    scripted.limited = 1

    response = await client.post("/api/turns", json={"question": "top 5 products"})

    assert response.status == 429
    assert response.headers["Retry-After"] == "2"
    assert "wait 2 s" in await error_of(response)


@pytest.mark.parametrize(
    ("body", "status", "sentence"),
    [
        ('{"question": "  "}', 400, "Please ask a question."),
        ("{}", 400, "question: Field required"),
        ('{"question": 7}', 400, "question: Input should be a valid string"),
        ('{"question": "x", "colour": "red"}', 400, "colour: Extra inputs"),
        ('{"question": "x", "thread": "a/b"}', 400, "thread: String should match"),
        ('{"question": ', 400, "Invalid JSON"),
        ("", 400, "Invalid JSON"),
        ("\ud83d", 400, "Invalid JSON"),
        (json.dumps({"question": "x" * 200_000}), 413, "more than 128 KiB"),
    ],
)
async def test_a_body_that_does_not_fit_is_explained(
    client: Client, body: str, status: int, sentence: str
):
    response = await client.post(
        "/api/turns",
        data=body.encode(errors="surrogatepass"),
        headers={"Content-Type": "application/json"},
    )

    assert response.status == status
    assert sentence in await error_of(response)


@pytest.mark.parametrize(
    "body",
    [
        {"decision": "d"},
        {"decision": "d", "text": "   "},
        {"decision": "d", "choice": "approve", "text": "yes"},
    ],
)
async def test_a_decision_is_one_answer(client: Client, body: dict[str, str]):
    response = await client.post("/api/decisions", json=body)

    assert response.status == 400
    assert "either a choice or a text" in await error_of(response)


async def test_only_json_is_taken(client: Client):
    response = await client.post("/api/turns", data={"question": "from a form"})

    assert response.status == 415
    assert "application/json" in await error_of(response)


@pytest.mark.parametrize(
    ("method", "path", "status", "sentence"),
    [
        ("GET", f"/api/runs/{'0' * 32}/events", 404, "no run"),
        ("GET", f"/api/files/{'0' * 32}", 404, "no longer kept"),
        ("GET", "/api/runs/x/events?after=minus", 400, "position"),
        ("GET", "/api/nothing", 404, "/api/nothing"),
        ("DELETE", "/api/turns", 404, "DELETE /api/turns"),
    ],
)
async def test_what_is_not_there_is_told_in_a_sentence(
    client: Client, method: str, path: str, status: int, sentence: str
):
    response = await client.request(method, path)

    assert response.status == status
    assert sentence in await error_of(response)


async def test_says_what_can_be_asked_and_that_it_lives(client: Client):
    state = await (await client.get("/api/state")).json()
    health = await (await client.get("/healthz", headers={"Host": "10.0.0.7:8080"})).json()

    assert [each["name"] for each in state["connections"]] == ["demo", "warehouse"]
    assert state["default_connection"] == "demo"
    assert health == {"status": "ok"}


async def test_gives_pictures_to_be_shown_and_other_files_to_be_saved(
    client: Client,
):
    response = await client.post("/api/turns", json={"question": "top 5 products"})
    _, finished = (await read_all(response))[-1]
    assert isinstance(finished, TurnFinished)
    assert finished.answer.result
    [csv], [chart] = finished.answer.result.files, finished.answer.result.charts

    table = await client.get(f"/api/files/{csv.id}")
    picture = await client.get(f"/api/files/{chart.picture.id}")

    assert await table.read() == b"product,revenue\nA,1\n"
    assert table.content_type == "text/csv"
    assert table.headers["Content-Disposition"].startswith(
        'attachment; filename="top_products.csv"'
    )
    assert picture.content_type == "image/png"
    assert picture.headers["Content-Disposition"].startswith("inline")
    for each in (table, picture):
        assert each.headers["X-Content-Type-Options"] == "nosniff"
        assert "sandbox" in each.headers["Content-Security-Policy"]


async def test_serves_the_page_and_every_file_that_it_names(client: Client):
    page = await (await client.get("/")).text()

    names = [part.split('"')[0] for part in page.split('"/page/')[1:]]
    assert "app.js" in names
    for name in names:
        response = await client.get(f"/page/{name}")
        assert response.status == 200
        again = await client.get(
            f"/page/{name}", headers={"If-None-Match": response.headers["ETag"]}
        )
        assert again.status == 304


async def test_the_page_holds_no_script_and_no_style_of_its_own(client: Client):
    response = await client.get("/")
    page = await response.text()

    policy = response.headers["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
    assert all(part.startswith((" src=",)) for part in page.split("<script")[1:])
    assert "<style" not in page
    assert " style=" not in page
    assert "http://" not in page
    assert "https://" not in page


async def test_readers_are_told_apart_by_their_browser(client: Client, scripted: ScriptedDoors):
    await client.get("/")
    await client.post("/api/turns", json={"question": "first"})
    client.session.cookie_jar.clear()
    await client.get("/")
    await client.post("/api/turns", json={"question": "second"})

    one, other = (message.actor.id for message in scripted.asked)
    assert one != other


async def ask_until_paused(client: Client, question: str) -> TurnPaused:
    response = await client.post("/api/turns", json={"question": question})
    _, last = (await read_all(response))[-1]
    assert isinstance(last, TurnPaused)
    return last


async def read_all(response: ClientResponse) -> list[tuple[int, Event]]:
    blocks = (await response.text()).split("\n\n")
    fields = [
        dict(line.split(": ", 1) for line in block.splitlines())
        for block in blocks
        if block and not block.startswith(":")
    ]
    for each in fields:
        assert each["event"] == json.loads(each["data"])["kind"]
    return [(int(each["id"]), load(each["data"])) for each in fields]


async def error_of(response: ClientResponse) -> str:
    body = await response.json()
    assert set(body) == {"error"}
    return body["error"]


async def test_a_question_may_name_the_model_that_answers_it(
    client: Client, scripted: ScriptedDoors
):
    await client.post("/api/turns", json={"question": "hello", "model": "small"})
    await client.post("/api/turns", json={"question": "hello again"})

    assert [message.model for message in scripted.asked] == ["small", ""]
