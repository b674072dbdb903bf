"""One question, through everything that the reader has to decide, to its end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Literal

from bot.bootstrap import App
from core.delivery.deliver import deliver
from core.domain.answer import Answer
from core.domain.conversation import InboundMessage, Turn
from core.domain.decisions import Approval, Clarification, Decision, DecisionAnswer
from core.domain.events import Event
from core.domain.ids import (
    ActorId,
    ConnectionName,
    MessageId,
    RunId,
    ThreadId,
    WorkspaceId,
    fresh_id,
)
from core.domain.people import Actor, Place, Role
from core.domain.view import MessageView
from core.ports.surface import Surface

READER = Actor(
    id=ActorId("terminal"), workspace=WorkspaceId("terminal"), name="You", role=Role.ADMIN
)
PLACE = Place(platform="terminal")
_PACE = 0.1

Status = Literal["answered", "clarification", "approval", "refused", "failed"]
Decide = Callable[[Decision], DecisionAnswer | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Addressed:
    """Whom a question goes to, and in which thread; by default one of its own."""

    connection: ConnectionName | None = None
    model: str = ""
    thread: ThreadId | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """How it ended, and in which run."""

    run: RunId
    view: MessageView


def status_of(view: MessageView) -> Status:
    """Say how a run ended: answered, refused, clarification, approval or failed."""
    match view:
        case MessageView(answer=Answer(refused=refused)):
            return "refused" if refused else "answered"
        case MessageView(decision=Clarification()):
            return "clarification"
        case MessageView(decision=Approval()):
            return "approval"
        case _:
            return "failed"


async def ask(
    app: App,
    question: str,
    *,
    surface: Surface,
    decide: Decide,
    to: Addressed,
) -> Asked:
    """Ask, and answer what is asked back for as long as `decide` has an answer.

    Raises:
        Declined: the question is empty or too long, or there is no model of that name.
    """
    message = InboundMessage(
        id=MessageId(fresh_id()),
        thread=to.thread or ThreadId(f"terminal:{fresh_id()}"),
        actor=READER,
        text=question,
        sent_at=app.outside.clock.now(),
        connection=to.connection,
        place=PLACE,
        model=to.model,
    )
    turn = await app.turns.start(message)
    view = await _shown(app, turn, surface)
    while view.decision is not None and (answer := decide(view.decision)) is not None:
        turn = await app.turns.decide(answer)
        view = await _shown(app, turn, surface)
    return Asked(turn.run, view)


async def _shown(app: App, turn: Turn, surface: Surface) -> MessageView:
    try:
        return await deliver(
            _events(app, turn.run), thread=turn.thread, surface=surface, pace=_PACE
        )
    except asyncio.CancelledError:
        # Nobody waits for the answer any more, so that nothing is read for it any more.
        await app.turns.stop(turn.run)
        raise


async def _events(app: App, run: RunId) -> AsyncIterator[Event]:
    async for _, event in app.outside.run_log.follow(run):
        yield event
