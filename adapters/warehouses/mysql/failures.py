"""What MySQL, MariaDB and their driver complain about, in the core's errors."""

from __future__ import annotations

from sqlalchemy.exc import TimeoutError as NoFreeConnection

from adapters.warehouses.failures import PlanKept, all_busy, lost, too_slow
from adapters.warehouses.mysql.driver import DriverError, number_of, words_of
from core.domain.errors import QueryRejected, TemporarilyUnavailable, ToolError

# Everything that the driver, the pool or the network raises; a cell that Python cannot hold is
# a ValueError.
FAILURES = (DriverError, NoFreeConnection, OSError, TimeoutError, ValueError, RuntimeError)
# The server's numbers, as its manual lists them.
_TOO_SLOW = frozenset({1969, 3024})
_LOST = frozenset({1053, 1158, 1159, 1160, 1161, 1927, 2006, 2013, 2014, 2055, 4031})
_PASSING = _LOST | {
    *(1040, 1203, 1226),  # too many connections
    *(1205, 1213, 1317, 3058),  # lock wait, deadlock, interrupted
    *(2002, 2003),  # not there
}
_UNREACHABLE = frozenset({2002, 2003, 2005})
_REFUSED = frozenset({1044, 1045, 1698, 2059})
_NO_DATABASE = 1049
_NO_PLAN_FOR_THIS_LOGIN = 1345


def is_lost(error: BaseException) -> bool:
    """Say whether a connection has ended, so that another one may do."""
    return number_of(error) in _LOST or isinstance(error, OSError | RuntimeError)


def translated(error: BaseException, seconds: float) -> ToolError:
    """Return the core's error for a failure, with the database's words where it has some."""
    number = number_of(error)
    if number in _TOO_SLOW or isinstance(error, TimeoutError):
        return too_slow(seconds)
    if isinstance(error, NoFreeConnection):
        return all_busy(seconds)
    if is_lost(error):
        return lost(words_of(error))
    if number in _PASSING:
        return TemporarilyUnavailable(words_of(error))
    if isinstance(error, DriverError):
        rejected = PlanKept if number == _NO_PLAN_FOR_THIS_LOGIN else QueryRejected
        return rejected(words_of(error))
    return QueryRejected(f"A value of the result cannot be read: {error}. Cast it to text.")


def advice(error: ToolError) -> str:
    """Say what is wrong with a connection, and what to do."""
    number = number_of(error.__cause__)
    if number in _REFUSED:
        return "refuses the user name or the password. Check both in the connection's URL."
    if number == _NO_DATABASE:
        return "does not exist on that server. Check the end of the connection's URL."
    if number in _UNREACHABLE or isinstance(error.__cause__, OSError | TimeoutError):
        return (
            "cannot be reached. Check host and port, and that the server runs and takes"
            " connections from here."
        )
    return f"cannot be read: {error.advice}"
