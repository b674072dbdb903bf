"""Everything that one run may use, every field required.

What stands here can never be overridden by a model's arguments: tools get their part of it as a
`ToolContext`, and their arguments name tables and columns, never a person or a connection.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.domain.budget import Budget
from core.domain.catalog import Catalog
from core.domain.connection import Connection
from core.domain.conversation import Thread, Turn
from core.domain.definitions import NOTHING_DEFINED, Definitions
from core.ports.chart_renderer import ChartRenderer
from core.ports.chat_model import ChatModel
from core.ports.clock import Clock
from core.ports.file_store import FileStore
from core.ports.paused_runs import PausedRuns
from core.ports.warehouse import Warehouse
from core.ports.web_search import WebSearch
from core.sql.audit_trail import AuditTrail


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionContext:
    """`memory` is what is remembered that matters for this turn, as text for the prompt.

    `definitions` are those of the data team that matter for it, and stand in `memory`.
    `warnings` are what the reader has to know of the answer, whatever becomes of it.
    `model` answers, except for families that have a model of their own in `model_by_family`;
    `last_resort` answers where none of these does, and needs nothing that could be down; then
    `seconds_before` were spent on those that did not.
    """

    turn: Turn
    thread: Thread
    connection: Connection
    catalog: Catalog
    warehouse: Warehouse
    model: ChatModel
    charts: ChartRenderer
    files: FileStore
    paused: PausedRuns
    web: WebSearch
    clock: Clock
    budget: Budget
    memory: str
    audit: AuditTrail
    definitions: Definitions = NOTHING_DEFINED
    warnings: tuple[str, ...] = ()
    model_by_family: Mapping[str, ChatModel] = field(default_factory=dict[str, ChatModel])
    last_resort: ChatModel | None = None
    seconds_before: float = 0.0

    def model_for(self, family: str) -> ChatModel:
        """Return who answers questions of a family."""
        return self.model_by_family.get(family, self.model)
