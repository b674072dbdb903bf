import io

import pytest

from adapters.terminal.surface import TerminalSurface
from core.domain.answer import Answer
from core.domain.ids import TaskId, ThreadId
from core.domain.plan import TaskLine, TaskState
from core.domain.view import MessageView
from core.ports.surface import Surface
from tests.conformance.surface import SurfaceContract


class TestTerminalSurface(SurfaceContract):
    @pytest.fixture
    def surface(self) -> TerminalSurface:
        screen = io.StringIO()
        return TerminalSurface(live=screen, out=screen)

    async def texts_shown(self, surface: Surface) -> list[str]:
        assert isinstance(surface, TerminalSurface)
        assert isinstance(surface.live, io.StringIO)
        return as_seen(surface.live.getvalue())

    async def break_down(self, surface: Surface) -> None:
        assert isinstance(surface, TerminalSurface)
        assert surface.live
        surface.live.close()


def as_seen(written: str) -> list[str]:
    lines = [line.rsplit("\r\x1b[K", 1)[-1] for line in written.split("\n")]
    return [line for line in lines if line and "no model cost" not in line]


async def test_on_a_pipe_nothing_but_the_end_is_written():
    out = io.StringIO()
    surface = TerminalSurface(live=None, out=out)

    message = await surface.post(ThreadId("t"), MessageView(status="Reading the question"))
    await message.show(MessageView(status="Thinking"))
    await message.show(MessageView(answer=Answer(text="42 orders."), done=True))

    assert out.getvalue().startswith("42 orders.\n")
    assert "Reading" not in out.getvalue()
    assert "\x1b" not in out.getvalue()


async def test_whoever_takes_the_view_gets_no_text_beside_it():
    live = io.StringIO()
    surface = TerminalSurface(live=live, out=None)

    message = await surface.post(ThreadId("t"), MessageView(status="Reading the question"))
    await message.show(MessageView(answer=Answer(text="42 orders."), done=True))

    assert live.getvalue().endswith("\r\x1b[K")
    assert "42" not in live.getvalue()


async def test_the_tasks_of_a_plan_change_where_they_stand():
    live = io.StringIO()
    surface = TerminalSurface(live=live, out=None)
    tasks = [
        TaskLine(id=TaskId("a"), title="Who left", state=TaskState.RUNNING),
        TaskLine(id=TaskId("b"), title="Tickets", state=TaskState.WAITING),
    ]

    message = await surface.post(ThreadId("t"), MessageView(status="Who left", plan=tuple(tasks)))
    tasks[0] = tasks[0].model_copy(update={"state": TaskState.DONE})
    await message.show(MessageView(status="Tickets", plan=tuple(tasks)))
    before, after = live.getvalue().split("\x1b[2A\x1b[J")
    await message.show(MessageView(answer=Answer(text="42."), done=True))

    assert before == "\r\x1b[K… Who left\n· Tickets\nWho left\r\x1b[K"
    assert after == "✓ Who left\n· Tickets\nTickets"
    assert live.getvalue().endswith("Tickets\r\x1b[K\x1b[2A\x1b[J")
