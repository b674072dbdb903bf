import asyncio
import sys
from typing import Annotated

import pytest
from pydantic import Field, TypeAdapter, ValidationError

from adapters.models import opening
from adapters.models.litellm_model import LiteLLMModel
from adapters.models.openai_protocol import OpenAIProtocolModel
from adapters.models.opening import open_model
from adapters.models.settings import LiteLLMSettings, OpenAIProtocolSettings
from core.domain.errors import SettingsInvalid

SETTINGS = TypeAdapter[OpenAIProtocolSettings | LiteLLMSettings](
    Annotated[OpenAIProtocolSettings | LiteLLMSettings, Field(discriminator="provider")]
)

THE_APP_WITHOUT_LITELLM = """
import importlib, importlib.util, sys
import adapters.models.opening, bot.settings
for whole in ("bot.cli.main", "bot.bootstrap"):
    if importlib.util.find_spec(whole):
        importlib.import_module(whole)
print(sorted({"litellm", "openai", "httpx"} & sys.modules.keys()))
"""

LITELLM_WITHOUT_NETWORK = """
import os, socket, threading
os.environ.pop("LITELLM_OFFLINE_MODE", None)
tried = []
def refuse(self, address, *rest):
    if self.family != socket.AF_UNIX:
        tried.append(address)
        raise OSError("no network here")
def look_up(*asked, **rest):
    tried.append(asked)
    raise socket.gaierror("no names here")
socket.socket.connect = socket.socket.connect_ex = refuse
socket.getaddrinfo = look_up
from adapters.models.litellm_loading import load, loaded
before = loaded()
load()
print(before, loaded().__name__, tried, [t.name for t in threading.enumerate()])
"""


async def test_opens_a_model_of_each_provider():
    direct = SETTINGS.validate_python(
        {"provider": "openai_protocol", "base_url": "http://127.0.0.1:8000/v1", "model": "m"}
    )
    any_vendor = SETTINGS.validate_python({"provider": "litellm", "model": "anthropic/m"})

    models = [open_model(direct), open_model(any_vendor)]

    assert [type(model) for model in models] == [OpenAIProtocolModel, LiteLLMModel]
    assert [model.name for model in models] == ["m", "anthropic/m"]
    for model in models:
        await model.close()


def test_a_provider_that_is_not_installed_is_a_setting_to_change(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(opening, "is_installed", lambda: False)

    with pytest.raises(SettingsInvalid, match=r"install resona\[models\]"):
        open_model(LiteLLMSettings(model="anthropic/m"))


async def test_the_app_is_imported_without_litellm():
    assert await printed_by(THE_APP_WITHOUT_LITELLM) == "[]"


async def test_litellm_is_imported_without_touching_the_network():
    assert await printed_by(LITELLM_WITHOUT_NETWORK) == "None litellm [] ['MainThread']"


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"base_url": "localhost:8000"}, "must begin with http"),
        ({"base_url": "ftp://models.example"}, "must begin with http"),
        ({"base_url": "https://"}, "must begin with http"),
        ({"base_url": "https://me:secret@models.example"}, "no user or password"),
        ({"api_key": "two words"}, "one word"),
        ({"api_key": "schlüssel"}, "one word"),
        ({"model": ""}, "at least 1 character"),
        ({"input_price": -1}, "greater than or equal to 0"),
        ({"first_byte_seconds": 0}, "greater than 0"),
        ({"leave_out": ["messages"]}, "Input should be"),
    ],
)
def test_refuses_settings_that_cannot_work(given: dict[str, object], says: str):
    good = {"provider": "openai_protocol", "base_url": "https://models.example/v1", "model": "m"}

    with pytest.raises(ValidationError, match=says):
        SETTINGS.validate_python(good | given)


@pytest.mark.parametrize("key", [None, "", "  \n"])
def test_a_key_is_not_needed(key: str | None):
    settings = SETTINGS.validate_python({"provider": "litellm", "model": "x/m", "api_key": key})

    assert settings.key == ""


def test_a_key_from_a_file_loses_its_line_break_and_is_never_shown():
    settings = SETTINGS.validate_python(
        {"provider": "litellm", "model": "x/m", "api_key": "sk-secret\n"}
    )

    assert settings.key == "sk-secret"
    assert "sk-secret" not in repr(settings)


def test_what_the_server_knew_already_has_a_price_of_its_own():
    settings = LiteLLMSettings(
        model="x/m", input_price=10.0, cached_input_price=1.0, output_price=20.0
    )

    assert settings.usage(1_000_000, 100_000, 900_000).usd == pytest.approx(1.0 + 0.9 + 2.0)


def test_without_that_price_everything_costs_the_same():
    settings = LiteLLMSettings(model="x/m", input_price=10.0)

    assert settings.usage(1_000_000, 0, 900_000).usd == pytest.approx(10.0)


async def printed_by(script: str) -> str:
    running = await asyncio.create_subprocess_exec(
        sys.executable, "-c", script, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    printed, complained = await running.communicate()
    assert running.returncode == 0, complained.decode()
    return printed.decode().strip()
