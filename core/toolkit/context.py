"""The narrow part of a run's context that tools get."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from core.domain.catalog import Catalog, CatalogColumn, CatalogTable
from core.domain.definitions import NOTHING_DEFINED, Definitions
from core.domain.errors import BadArguments
from core.domain.names import unknown_name
from core.domain.query import CostEstimate, Dialect, Query
from core.domain.table import Table
from core.ports.web_search import WebSearch
from core.sql.gateway import QueryGateway


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolContext:
    """One tool call's way to the outside: every query passes the guard and the cost gate.

    `today` is the day of the asker's question; `note` keeps a sentence for the rest of the run.
    """

    queries: QueryGateway
    catalog: Catalog
    today: date
    web: WebSearch
    note: Callable[[str], None]
    definitions: Definitions = NOTHING_DEFINED

    @property
    def dialect(self) -> Dialect:
        return self.catalog.dialect

    async def fetch(self, query: Query | str, *, max_rows: int | None = None) -> Table:
        """Run a query and return its rows, at most `max_rows` or the connection's cap.

        Raises:
            NotPossible: the guard refused it or the database rejected it.
            TemporarilyUnavailable: no answer in time.
            ApprovalNeeded: it would cost more than the connection's threshold.
        """
        return await self.queries.fetch(query, max_rows=max_rows)

    async def estimate(self, query: Query | str) -> CostEstimate:
        """Say what a query would read, without running it. Raises NotPossible as `fetch` does."""
        return await self.queries.estimate(query)

    def table(self, name: str) -> CatalogTable:
        """Find a table of the catalog.

        Raises:
            BadArguments: there is none of that name; the advice lists the nearest names.
        """
        found = self.catalog.table(name)
        if found is None:
            raise BadArguments(unknown_name("table", name, (t.name for t in self.catalog.tables)))
        return found

    def column(self, table: CatalogTable, name: str) -> CatalogColumn:
        """Find a column of a table.

        Raises:
            BadArguments: there is none of that name; the advice lists the nearest names.
        """
        found = table.column(name)
        if found is None:
            what = f"column of {table.qualified_name}"
            raise BadArguments(unknown_name(what, name, (c.name for c in table.columns)))
        return found
