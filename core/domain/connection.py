"""A warehouse as configured for a workspace."""

from dataclasses import dataclass, field
from math import inf

from core.domain.ids import ConnectionName
from core.domain.query import Dialect
from core.domain.rights import Rights


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """Above one of these a query waits for a person's approval; infinity sets none.

    rows, bytes: read from tables
    intermediate_rows: of the largest step in between
    seconds: how long it usually takes, where the connection's history tells
    usd: what it costs, where the connection's prices tell
    """

    rows: float = 50_000_000
    intermediate_rows: float = 500_000_000
    bytes: float = 50e9
    seconds: float = inf
    usd: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """What the engine charges, in US dollars; 0 where nobody pays by that measure.

    usd_per_tib: for 2^40 bytes read
    usd_per_hour: for an hour that a query runs
    """

    usd_per_tib: float = 0.0
    usd_per_hour: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What no query of a connection may exceed, approved or not.

    seconds: that it may run
    rows, export_rows, result_bytes: that it may give
    read_bytes: that it may read, where the engine can be told
    """

    seconds: float = 30.0
    rows: int = 10_000
    export_rows: int = 1_000_000
    result_bytes: int = 64 * 1024 * 1024
    read_bytes: float = inf


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """Holds no secret: the URL stays in the adapter that opened it.

    `schemas` and `tables` (names or `schema.name`) narrow what may be read when they are not
    empty; the default schema always may.
    """

    name: ConnectionName
    dialect: Dialect
    description: str = ""
    schemas: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    thresholds: Thresholds = field(default_factory=Thresholds)
    limits: Limits = field(default_factory=Limits)
    prices: Prices = field(default_factory=Prices)
    rights: Rights = field(default_factory=Rights)
