"""The one place that loads scipy, when something first needs it: it takes a second."""

from __future__ import annotations

import importlib
from types import ModuleType

from core.domain.errors import NotPossible


def scipy_stats() -> ModuleType:
    """Return scipy.stats.

    Raises:
        NotPossible: it is not installed.
    """
    try:
        return importlib.import_module("scipy.stats")
    except ImportError as error:
        raise NotPossible(
            "Statistics need scipy, which is not installed here (resona[stats]). Say so, and "
            "answer with plain figures from another tool."
        ) from error
