"""What drivers complain about, in the core's errors, and what is said of a whole connection."""

from __future__ import annotations

from core.domain.errors import TemporarilyUnavailable, ToolError

REFUSED = (
    "refuses the login. Check user, password, key or token in the connection's URL, and that they"
    " have not expired."
)
UNREACHABLE = (
    "cannot be reached. Check host and port, and that the service runs and takes connections from"
    " here."
)
NOT_THERE = "does not exist there, or the login may not see it. Check the end of the URL."


def cannot_be_read(error: ToolError) -> str:
    """Pass on what the service itself says."""
    return f"cannot be read: {error.advice}"


def not_now(words: str) -> TemporarilyUnavailable:
    """Return the error of a failure after which the same query may work."""
    return TemporarilyUnavailable(f"The database could not answer: {words.rstrip('.')}. Try again.")


def one_line(error: BaseException, most: int = 600) -> str:
    """Return what an error says, on one line and not endlessly long."""
    text = " ".join(str(error).split())
    return text if len(text) <= most else f"{text[: most - 1]}…"
