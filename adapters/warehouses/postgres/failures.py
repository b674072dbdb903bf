"""What PostgreSQL and its driver complain about, in the core's errors."""

from __future__ import annotations

from sqlalchemy.exc import TimeoutError as NoFreeConnection

from adapters.warehouses.failures import all_busy, lost, too_slow
from adapters.warehouses.postgres.driver import (
    DriverError,
    InternalError,
    ServerError,
    state_of,
    words_of,
)
from core.domain.errors import QueryRejected, TemporarilyUnavailable, ToolError

_NETWORK = (DriverError, InternalError, OSError)
# Everything that the driver, the pool or the network raises; a cell that Python cannot hold is
# a ValueError.
FAILURES = (ServerError, *_NETWORK, NoFreeConnection, TimeoutError, ValueError)
# Classes of SQLSTATE after which the same query may work: connection, transaction, resources,
# locks, an operator, the system.
_PASSING = ("08", "40", "53", "55", "57", "58")
_CANCELLED = "57014"
_LOST = ("08", "57P")
_REFUSED = ("28P01", "28000")
_NO_DATABASE = "3D000"


def translated(error: BaseException, seconds: float) -> ToolError:
    """Return the core's error for a failure, with the database's words where it has some."""
    state = state_of(error)
    if state == _CANCELLED or isinstance(error, TimeoutError):
        return too_slow(seconds)
    if isinstance(error, NoFreeConnection):
        return all_busy(seconds)
    if state.startswith(_LOST) or isinstance(error, _NETWORK):
        return lost(words_of(error))
    if state.startswith(_PASSING):
        return TemporarilyUnavailable(words_of(error))
    if isinstance(error, ServerError):
        return QueryRejected(words_of(error))
    return QueryRejected(f"A value of the result cannot be read: {error}. Cast it to text.")


def advice(error: ToolError) -> str:
    """Say what is wrong with a connection, and what to do."""
    cause = error.__cause__
    state = state_of(cause)
    if state in _REFUSED:
        return "refuses the user name or the password. Check both in the connection's URL."
    if state == _NO_DATABASE:
        return "does not exist on that server. Check the end of the connection's URL."
    if isinstance(cause, ServerError):
        return f"cannot be read: {cause}. Ask its administrator."
    if isinstance(cause, (*_NETWORK, TimeoutError)):
        return (
            "cannot be reached. Check host and port, and that the server runs and takes"
            " connections from here."
        )
    return f"cannot be read: {error.advice}"
