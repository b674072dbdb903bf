"""What the walk over a statement collects for the judgements that need the whole of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlglot import exp

from core.domain.query import Dialect
from core.sql.dialects.lists import Functions


@dataclass(slots=True)
class Statement:
    """What the walk finds."""

    dialect: Dialect
    allowed: Functions
    tables: list[exp.Table] = field(default_factory=list[exp.Table])
    columns: list[exp.Column] = field(default_factory=list[exp.Column])
    ctes: list[exp.CTE] = field(default_factory=list[exp.CTE])
    recursive: list[exp.CTE] = field(default_factory=list[exp.CTE])
    called: set[str] = field(default_factory=set[str])
    named: set[str] = field(default_factory=set[str])  # aliases with columns, combined aggregates
    sources: set[str] = field(default_factory=set[str])
    multiplies: bool = False
