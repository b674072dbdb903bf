"""What is said when an engine does not answer."""

from core.domain.errors import QueryRejected, TemporarilyUnavailable


class PlanKept(QueryRejected):
    """The query may run, but the engine does not say how it would."""


def too_slow(seconds: float) -> TemporarilyUnavailable:
    """Return the error of a query that was stopped because of its time."""
    return TemporarilyUnavailable(
        f"The query was stopped after {seconds:g} seconds. Ask for less: a shorter period, a"
        " narrower filter, or fewer joins."
    )


def lost(words: object) -> TemporarilyUnavailable:
    """Return the error of a query whose connection has ended, with what was said about it."""
    return TemporarilyUnavailable(
        f"The connection to the database was lost ({words}). Ask again: there will be a new one."
    )


def all_busy(seconds: float) -> TemporarilyUnavailable:
    """Return the error of a query that had to wait too long for its turn."""
    return TemporarilyUnavailable(
        f"The database was busy with other queries for {seconds:g} seconds. Try again."
    )
