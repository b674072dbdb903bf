import json
from pathlib import Path

import pytest

from bot.cli.main import main

pytestmark = pytest.mark.usefixtures("demo")


def test_says_of_every_part_whether_it_works(capsys: pytest.CaptureFixture[str]):
    code = main(["doctor", "--json"])

    found = {each["part"]: each["state"] for each in json.loads(capsys.readouterr().out)}
    assert code == 0
    assert found["state"] == found["connection demo"] == found["charts"] == "ok"
    assert found["model"] == "note"
    assert set(found) >= {"page", "web search"}


def test_what_does_not_work_is_told_with_what_to_do(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("RESONA_CONNECTIONS__SHOP__URL", "nowhere.sqlite")
    main(["connect", "add", "gone", "--url-env", "GONE_URL", "--no-test"])
    capsys.readouterr()

    assert main(["doctor"]) == 5

    shown = capsys.readouterr().out
    assert "FAIL  connection gone: The connection 'gone' cannot be used." in shown
    assert "GONE_URL, which is not set" in shown
    assert "FAIL  connection shop: " in shown


def test_a_model_that_does_not_answer_is_found(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("RESONA_MODEL__PROVIDER", "openai_protocol")
    monkeypatch.setenv("RESONA_MODEL__MODEL", "a-model")
    monkeypatch.setenv("RESONA_MODEL__BASE_URL", "http://127.0.0.1:1/v1")

    assert main(["doctor"]) == 5
    assert "FAIL  model: " in capsys.readouterr().out


def test_a_state_directory_that_cannot_be_written_ends_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("RESONA_STATE_DIR", "/proc/nothing")

    assert main(["doctor"]) == 5
    assert "Set RESONA_STATE_DIR" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("environ", "told"),
    [
        ({}, "note  connecting from a chat: page.public_url is not set"),
        ({"RESONA_PAGE__PUBLIC_URL": "https://r.example"}, "people.admins names nobody"),
    ],
)
def test_it_says_whether_databases_can_be_connected_from_a_chat(
    environ: dict[str, str],
    told: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
):
    slack = {"BOT_TOKEN": "xoxb-1", "APP_TOKEN": "xapp-1", "BASE_URL": "http://127.0.0.1:1/api/"}
    for name, value in slack.items():
        monkeypatch.setenv(f"RESONA_SLACK__{name}", value)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)

    main(["doctor"])

    assert told in capsys.readouterr().out


def test_definitions_are_counted_where_they_fit(capsys: pytest.CaptureFixture[str]):
    assert main(["doctor"]) == 0
    assert "ok    definitions of demo: 6 definitions from " in capsys.readouterr().out


def test_what_is_meant_for_another_connection_is_no_failure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    file = tmp_path / "words.yaml"
    file.write_text("synonyms: {takings: orders.order_total, ledger: bookings}\n")
    monkeypatch.setenv("RESONA_DEFINITIONS", str(file))

    assert main(["doctor"]) == 0
    told = f"note  definitions of demo: {file}:1: the synonym 'ledger' fits no table."
    assert told in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("metrics:\n  a: {tabel: orders}\n", "{file}:2: the metric 'a' has an unknown key 'tabel'"),
        (
            "synonyms: {a: ordrs, b: orders, c: d}\n",
            "{file}:1: the synonym 'a' fits no table. There is no table 'ordrs'.",
        ),
        (None, "{file}: the file cannot be read (No such file or directory)"),
    ],
)
def test_definitions_that_cannot_be_used_take_one_line(
    text: str | None,
    told: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
):
    file = tmp_path / "words.yaml"
    if text is not None:
        file.write_text(text)
    monkeypatch.setenv("RESONA_CONNECTIONS__SHOP__URL", str(tmp_path / "state" / "demo.sqlite"))
    monkeypatch.setenv("RESONA_CONNECTIONS__SHOP__DEFINITIONS", str(file))

    assert main(["doctor"]) == 5
    shown = capsys.readouterr().out
    [line] = [each for each in shown.splitlines() if "definitions of shop" in each]
    assert line.startswith(f"FAIL  definitions of shop: {told.format(file=file)}")
    assert "can be used" in line
