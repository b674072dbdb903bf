"""One read-only SELECT: as a tree, as the guard let it through, and what it would cost."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from enum import StrEnum
from math import inf, isnan
from typing import Literal

from pydantic import BaseModel, ConfigDict, field_validator
from sqlglot import exp

from core.domain.ids import QueryHash


class Dialect(StrEnum):
    """An engine's SQL, by sqlglot's name for it."""

    POSTGRES = "postgres"
    MYSQL = "mysql"
    SQLITE = "sqlite"
    DUCKDB = "duckdb"
    BIGQUERY = "bigquery"
    SNOWFLAKE = "snowflake"
    REDSHIFT = "redshift"
    DATABRICKS = "databricks"
    CLICKHOUSE = "clickhouse"
    TRINO = "trino"
    TSQL = "tsql"
    ORACLE = "oracle"
    SPARK = "spark"


@dataclass(frozen=True, slots=True)
class Query:
    """A SELECT that a tool built, before the guard has seen it."""

    tree: exp.Query

    def sql(self, dialect: Dialect | str) -> str:
        return self.tree.sql(dialect=str(dialect), comments=False)


class _Seal:
    """Held by the guard alone; an architecture test keeps it so."""


GUARD_SEAL = _Seal()


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardedQuery:
    """A query that the guard let through: the only thing that a warehouse runs.

    `sql` is rendered from the checked tree, in the words of `dialect`, with its row cap.
    `relations` are the tables that it reads, qualified where the query did. `hash` is the SHA-256
    of dialect and text: what an approval is bound to.
    """

    sql: str
    dialect: Dialect
    relations: tuple[str, ...]
    seal: _Seal
    hash: QueryHash = field(init=False)

    def __post_init__(self) -> None:
        if self.seal is not GUARD_SEAL:
            raise TypeError("only core.sql.guard makes a GuardedQuery")
        written = f"{self.dialect}\n{self.sql}".encode()
        object.__setattr__(self, "hash", QueryHash(hashlib.sha256(written).hexdigest()))


class CostEstimate(BaseModel):
    """What a query would read; None where the engine does not say (NaN is taken for None).

    rows: rows read from tables
    intermediate_rows: rows of the largest step in between, which betrays a join that multiplies
    bytes: bytes read
    units: the planner's own cost, in its own unit
    seconds, usd: only where history or a price list supports them
    confidence: "unknown" counts as above every threshold
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    rows: float | None = None
    intermediate_rows: float | None = None
    bytes: float | None = None
    units: float | None = None
    seconds: float | None = None
    usd: float | None = None
    confidence: Literal["exact", "upper_bound", "estimate", "unknown"] = "unknown"

    @field_validator("rows", "intermediate_rows", "bytes", "units", "seconds", "usd")
    @classmethod
    def _known(cls, figure: float | None) -> float | None:
        """Take NaN for what it is: compared with a threshold it would never be above."""
        return None if figure is None or isnan(figure) else figure


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceiling:
    """What the engine itself is told that a query may read, whatever was estimated."""

    rows: float = inf
    bytes: float = inf


NO_CEILING = Ceiling()
