"""A warehouse as configured for a workspace."""

from dataclasses import dataclass, field

from core.domain.ids import ConnectionName
from core.domain.query import Dialect
from core.domain.rights import Rights


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """Above one of these a query waits for a person's approval."""

    rows: float = 50_000_000
    intermediate_rows: float = 500_000_000
    bytes: float = 50e9
    usd: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What no query of a connection may exceed, approved or not."""

    seconds: float = 30.0
    rows: int = 10_000
    export_rows: int = 1_000_000
    result_bytes: int = 64 * 1024 * 1024


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
    rights: Rights = field(default_factory=Rights)
