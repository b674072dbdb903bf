"""What is wrong with the settings, for whoever wrote them: each by its name, as it is written."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from typing import get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from core.domain.names import nearest

_PROVIDERS = frozenset({"offline", "openai_protocol", "litellm"})
_SECTIONS = frozenset({"model_type", "dict_type", "model_attributes_type", "mapping_type"})


def in_words(
    error: ValidationError, settings: type[BaseModel], *, from_environment: Container[str]
) -> str:
    """Say what is wrong, in one line; never a value, since it may be a secret.

    from_environment: names of settings that came from variables, as in "page.port"
    """
    problems = (_problem(each, settings, from_environment) for each in error.errors())
    return f"The settings do not fit: {'; '.join(problems)}."


def _problem(
    found: ErrorDetails, settings: type[BaseModel], from_environment: Container[str]
) -> str:
    path = _as_written(tuple(map(str, found["loc"])))
    if found["type"].startswith("union_tag"):
        path = (*path, "provider")
    name = ".".join(path)
    if name in from_environment:
        name += f" (the variable RESONA_{'__'.join(path).upper()})"
    reason = _WORDS.get(found["type"])
    if reason is not None:
        return f"{name} {reason(found)}"
    if found["type"] in _SECTIONS:
        return f"{name} is a section: it takes settings of its own, as {name}.NAME"
    if found["type"] == "extra_forbidden":
        return f"{name} is no setting{_guess(path, settings)}"
    said = found["msg"].removeprefix("Value error, ")
    return f"{name}: {said}" if name and name not in said else said


def _as_written(path: tuple[str, ...]) -> tuple[str, ...]:
    """Leave out the kind of model that was tried, which nobody writes."""
    at = {"model": 1, "models": 2}.get(path[0] if path else "", len(path))
    return path[:at] + path[at + 1 :] if path[at : at + 1] and path[at] in _PROVIDERS else path


def _guess(path: tuple[str, ...], settings: type[BaseModel]) -> str:
    *above, name = path
    known = set[str]()
    for section in _sections(settings, above):
        known |= section.model_fields.keys()
    meant = nearest(name, sorted(known), at_most=1)
    return f"; did you mean {'.'.join((*above, meant[0]))}?" if meant else ""


def _sections(settings: type[BaseModel], path: list[str]) -> Iterator[type[BaseModel]]:
    """Find the sections that stand under a path."""
    if not path:
        yield settings
        return
    field = settings.model_fields.get(path[0])
    if field is None:
        return
    is_named = getattr(field.annotation, "__origin__", None) is Mapping
    for below in _models_in(field.annotation):
        yield from _sections(below, path[2:] if is_named else path[1:])


def _models_in(annotation: object) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for each in get_args(annotation):
        yield from _models_in(each)


def _choices(found: ErrorDetails) -> str:
    known = found.get("ctx", {})
    choices: object = known.get("expected") or known.get("expected_tags")
    return f"is not one of: {choices}"


_WORDS: Mapping[str, Callable[[ErrorDetails], str]] = {
    "missing": lambda _: "is missing",
    "literal_error": _choices,
    "union_tag_invalid": _choices,
    "union_tag_not_found": lambda _: "is missing",
}
