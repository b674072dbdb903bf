"""What the page needs from the application behind it, as callables that `bot` fulfils."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from core.domain.conversation import InboundMessage, Turn
from core.domain.decisions import DecisionAnswer
from core.domain.ids import RunId
from core.ports.clock import Clock
from core.ports.file_store import FileStore
from core.ports.run_log import RunLog


class TurnDeclined(Exception):
    """No turn starts; the text is one sentence for the reader. `retry_after` says when it may."""

    def __init__(self, sentence: str, *, retry_after: float | None = None) -> None:
        super().__init__(sentence)
        self.retry_after = retry_after


class ConnectionLabel(BaseModel):
    """A connection that the page offers, by the name that a question may carry."""

    model_config = ConfigDict(frozen=True)

    name: str
    dialect: str = ""
    description: str = ""


class PageState(BaseModel):
    """What the page shows before anything is asked; `examples` are questions that can be asked."""

    model_config = ConfigDict(frozen=True)

    connections: tuple[ConnectionLabel, ...]
    default_connection: str
    model: str
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WebDoors:
    """The way from a request into the application.

    - `start` and `decide` raise TurnDeclined; their turn's run can be followed in `runs`.
    - `stop` says whether the run was still going on.
    """

    start: Callable[[InboundMessage], Awaitable[Turn]]
    decide: Callable[[DecisionAnswer], Awaitable[Turn]]
    stop: Callable[[RunId], Awaitable[bool]]
    state: Callable[[], Awaitable[PageState]]
    runs: RunLog
    files: FileStore
    clock: Clock
