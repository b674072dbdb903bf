"""Says whether a query may run at all: one SELECT, known tables, nothing that writes."""

from __future__ import annotations

from dataclasses import dataclass

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from core.domain.catalog import Catalog
from core.domain.errors import NotPossible
from core.domain.query import GUARD_SEAL, GuardedQuery, Query


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard:
    """Checks queries against one connection's catalog."""

    catalog: Catalog

    def check(self, query: Query | str, *, max_rows: int) -> GuardedQuery:
        """Let one SELECT through.

        Raises:
            NotPossible: it is refused; the advice says what and why.
        """
        tree = self._parse(query) if isinstance(query, str) else query.tree
        if not isinstance(tree, exp.Query) or tree.find(exp.DML, exp.DDL, exp.Command):
            raise NotPossible("Only one SELECT may run.")
        return GuardedQuery(
            sql=tree.sql(dialect=self.catalog.dialect, comments=False),
            dialect=self.catalog.dialect,
            relations=tuple(sorted({table.name for table in tree.find_all(exp.Table)})),
            seal=GUARD_SEAL,
        )

    def _parse(self, text: str) -> exp.Expr:
        try:
            [tree] = [each for each in sqlglot.parse(text, dialect=self.catalog.dialect) if each]
        except (SqlglotError, ValueError, RecursionError) as error:
            raise NotPossible("That is not one statement of SQL.") from error
        return tree
