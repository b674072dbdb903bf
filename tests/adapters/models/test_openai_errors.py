from collections.abc import Mapping
from datetime import UTC, datetime

import orjson
import pytest
from multidict import CIMultiDict

from adapters.models.openai_errors import Place, complaint, complaint_in, error_of, retry_after
from core.domain.chat import Json
from core.domain.errors import ModelBusy, ModelError, ModelRefused, ModelUnreachable

KEY = "sk-very-secret-1234"
PLACE = Place("analyst-1", "models.example", KEY)
NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("status", "body", "kind", "says"),
    [
        (400, {"error": {"message": "bad field"}}, ModelRefused, "(status 400): bad field."),
        (400, {"error": {"code": "context_length_exceeded"}}, ModelRefused, "is too long for"),
        (400, {"object": "error", "message": "maximum 4096 tokens"}, ModelRefused, "is too long"),
        (401, {"error": {"message": f"Incorrect API key {KEY}"}}, ModelRefused, "valid api_key"),
        (402, {"error": "pay"}, ModelRefused, "no credit left at models.example."),
        (403, None, ModelRefused, "may not use analyst-1 at models.example"),
        (404, {"detail": "Not Found"}, ModelRefused, "check base_url and model"),
        (405, "no", ModelRefused, "check base_url and model"),
        (408, None, ModelUnreachable, "gave up waiting"),
        (413, None, ModelRefused, "too large"),
        (422, {"detail": [{"loc": ["body"]}]}, ModelRefused, '[{"loc":["body"]}]'),
        (429, {"error": {"message": "slow down"}}, ModelBusy, "analyst-1 at models.example is"),
        (429, {"error": {"code": "insufficient_quota"}}, ModelRefused, "no credit left"),
        (500, {"error": {"message": "oom"}}, ModelUnreachable, "(status 500): oom."),
        (502, b"<html>Bad Gateway</html>", ModelUnreachable, "of its own (status 502)."),
        (502, b"upstream  is\n gone", ModelUnreachable, "(status 502): upstream is gone."),
        (503, None, ModelUnreachable, "(status 503)."),
        (529, {"type": "error", "error": {"type": "overloaded"}}, ModelBusy, "is busy."),
        (418, None, ModelRefused, "refused the request to analyst-1 (status 418)."),
    ],
)
def test_a_status_is_sorted_by_who_has_to_act(
    status: int, body: Json | bytes, kind: type[ModelError], says: str
):
    raw = body if isinstance(body, bytes) else orjson.dumps(body)

    error = error_of(complaint(status, {}, raw), PLACE)

    assert type(error) is kind
    assert says in str(error)
    assert str(error).endswith(".")
    assert KEY not in str(error)


def test_without_a_key_it_says_that_one_is_needed():
    error = error_of(complaint(401, {}, b"{}"), Place("m", "models.example"))

    assert "asks for a key" in str(error)


def test_an_overload_that_says_when_to_come_back_is_busy():
    error = error_of(complaint(503, CIMultiDict({"Retry-After": "3"}), b"{}"), PLACE)

    assert isinstance(error, ModelBusy)
    assert error.retry_after == 3.0


def test_the_words_of_a_server_are_short_and_never_bear_a_key():
    words = f"the key {KEY} or sk-other-key-99 is {'very ' * 200}wrong"

    error = error_of(complaint(400, {}, orjson.dumps({"error": {"message": words}})), PLACE)

    assert "secret" not in str(error)
    assert "other-key" not in str(error)
    assert len(str(error)) < 300


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ({"error": {"message": "x", "code": 429}}, ModelBusy),
        ({"error": {"message": "x", "code": "rate_limit_exceeded"}}, ModelBusy),
        ({"type": "error", "error": {"type": "overloaded_error"}}, ModelBusy),
        ({"error": {"message": "x", "code": 502}}, ModelUnreachable),
        ({"error": {"message": "x", "code": "server_error"}}, ModelUnreachable),
        ({"error": "x"}, ModelUnreachable),
        ({"object": "error", "message": "x", "code": 400}, ModelRefused),
        ({"error": {"message": "prompt is too long"}}, ModelRefused),
    ],
)
def test_an_error_in_a_stream_is_sorted_too(said: Json, kind: type[ModelError]):
    found = complaint_in(said)

    assert found is not None
    assert type(error_of(found, PLACE)) is kind


@pytest.mark.parametrize("said", [{}, {"error": None, "choices": []}, [], "error", None])
def test_what_is_no_error_is_none(said: Json):
    assert complaint_in(said) is None


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"Retry-After": "20"}, 20.0),
        ({"Retry-After": "0.5"}, 0.5),
        ({"Retry-After": "20s"}, 20.0),
        ({"Retry-After": "1500ms"}, 1.5),
        ({"retry-after-ms": "250", "Retry-After": "1"}, 0.25),
        ({"Retry-After": "Mon, 30 Nov 2026 12:00:30 GMT"}, 30.0),
        ({"Retry-After": "Mon, 30 Nov 2026 11:00:00 GMT"}, 0.0),
        ({"Retry-After": "Mon, 30 Nov 2026 12:00:30 -0000"}, 30.0),
        (
            {
                "Retry-After": "Mon, 30 Nov 2026 09:00:05 GMT",
                "Date": "Mon, 30 Nov 2026 09:00:00 GMT",
            },
            5.0,
        ),
        ({"Retry-After": "-5"}, None),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "nan"}, None),
        ({"Retry-After": ""}, None),
    ],
)
def test_reads_when_to_come_back(headers: Mapping[str, str], seconds: float | None):
    assert retry_after(CIMultiDict(headers), now=NOW) == seconds
