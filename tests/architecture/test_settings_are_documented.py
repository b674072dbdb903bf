import dataclasses
import types
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, get_args, get_origin

from pydantic import BaseModel

from bot.settings import Settings

ELSEWHERE = {"connections": "", "models": "model.", "channels": "channels.ID."}
DOCUMENT = Path("docs/configuration.md").read_text(encoding="utf-8")


def names(model: type[object], prefix: str = "") -> Iterator[str]:
    if dataclasses.is_dataclass(model):
        yield from (f"{prefix}{field.name}" for field in dataclasses.fields(model))
    elif issubclass(model, BaseModel):
        for name, field in model.model_fields.items():
            inner = list(models_in(field.annotation))
            for each in inner:
                # Connections have a heading of their own, further models the settings of the first.
                below = ELSEWHERE.get(name, f"{prefix}{name}.")
                yield from names(each, below)
            if not inner:
                yield f"{prefix}{name}"


def models_in(annotation: object) -> Iterator[type[object]]:
    if isinstance(annotation, type) and (
        dataclasses.is_dataclass(annotation) or issubclass(annotation, BaseModel)
    ):
        yield annotation
    elif get_origin(annotation) in {Annotated, Mapping, types.UnionType} or get_args(annotation):
        for each in get_args(annotation):
            yield from models_in(each)


def test_every_setting_has_its_line():
    wanted = set(names(Settings))

    missing = {name for name in wanted if f"`{name}`" not in DOCUMENT}

    assert {"page.port", "limits.rows", "model.base_url"} <= wanted
    assert not missing
