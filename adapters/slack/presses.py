"""The names of what can be pressed, and the ids that a press carries: never any data."""

from dataclasses import dataclass

STOP = "stop"
OPTION = "option"  # one button an option: option_0, option_1, …
OTHER = "other_words"
APPROVE = "approve"
CHEAPER = "cheaper"
CANCEL = "cancel"
SUGGESTION = "suggestion"  # one button a suggestion
AGAIN = "run_again"
SHOW_SQL = "show_sql"
FEEDBACK = "feedback"

COMMAND = "command"
NO_COMMAND = "no_command"
CHANGE_CONNECTION = "change_connection"
OPEN_LINK = "open_link"
COMMAND_PRESSES = frozenset({COMMAND, NO_COMMAND, CHANGE_CONNECTION, OPEN_LINK})

CONNECT_VIEW = "connect"
OWN_WORDS_VIEW = "own_words"
WHAT_WAS_WRONG_VIEW = "what_was_wrong"
SQL_VIEW = "sql"
WORDS_BLOCK = "words"
WORDS_ACTION = "text"


@dataclass(frozen=True, slots=True)
class Press:
    """Which button, and the id and position that it carries."""

    action: str
    id: str
    at: int = 0


def value(id: str, at: int = 0) -> str:
    return f"{id}:{at}"


def numbered(action: str, at: int) -> str:
    return f"{action}_{at}"


def read(action_id: str, given: str) -> Press | None:
    """Read what a button carries; None for one that is none of ours or was tampered with."""
    id, _, at = given.partition(":")
    if not id.isalnum() or len(id) > 64 or not (at or "0").isdecimal() or len(at) > 3:
        return None
    return Press(action_id.rstrip("0123456789").rstrip("_"), id, int(at or "0"))
