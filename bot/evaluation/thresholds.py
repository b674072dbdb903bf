"""The least that an evaluation has to reach: `accuracy=0.8,answered=0.7`."""

from __future__ import annotations

from collections.abc import Mapping

from core.domain.chat import Json
from core.domain.errors import SettingsInvalid

_NAMES = {
    "accuracy": "execution_accuracy",
    "execution_accuracy": "execution_accuracy",
    "lenient_accuracy": "lenient_accuracy",
    "answered": "answered_share",
    "answered_share": "answered_share",
    "accuracy_answered": "accuracy_answered",
}


def read_thresholds(written: str) -> dict[str, float]:
    """Return the least value of each figure.

    Raises:
        SettingsInvalid: it names no figure that has a floor, or no share.
    """
    floors: dict[str, float] = {}
    for part in filter(None, (each.strip() for each in written.split(","))):
        name, _, value = part.partition("=")
        figure = _NAMES.get(name.strip())
        if figure is None:
            raise SettingsInvalid(f"--fail-under knows {', '.join(_NAMES)}, not {name.strip()!r}.")
        floors[figure] = _share(part, value)
    return floors


def missed(floors: Mapping[str, float], found: Mapping[str, Json]) -> list[str]:
    """Return a sentence for each floor that is not reached; what cannot be counted reaches none."""
    return [
        f"{name} is {_shown(found.get(name))}, and should be at least {floor:g}."
        for name, floor in floors.items()
        if not _reaches(found.get(name), floor)
    ]


def _share(part: str, value: str) -> float:
    try:
        share = float(value)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise SettingsInvalid(f"--fail-under takes shares from 0 to 1, such as 0.8; see {part!r}.")
    return share


def _reaches(value: Json, floor: float) -> bool:
    return isinstance(value, int | float) and value >= floor


def _shown(value: Json) -> str:
    return "not known" if value is None else str(value)
