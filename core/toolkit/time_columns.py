"""Columns that are kept as text, whatever they hold."""

from __future__ import annotations

import re

from core.domain.catalog import CatalogColumn

_TEXT = re.compile(r"char|text|string|clob")


def is_text(column: CatalogColumn) -> bool:
    """Say whether the engine keeps a column as text."""
    return _TEXT.search(column.type.casefold()) is not None
