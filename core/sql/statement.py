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
    builtins: set[type[exp.Expr]] = field(default_factory=set[type[exp.Expr]])
    named: set[str] = field(default_factory=set[str])  # aliases with columns, combined aggregates
    sources: set[str] = field(default_factory=set[str])
    multiplies: bool = False

    @property
    def functions(self) -> tuple[str, ...]:
        """Return the names of what is called; of the parser's own classes, its own names."""
        own = {each.sql_name().lower() for each in self.builtins if issubclass(each, exp.Func)}
        return tuple(sorted(self.called | own))
