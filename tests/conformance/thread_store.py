"""What every ThreadStore does. Subclass it next to the implementation; add nothing to pass."""

import asyncio

from core.domain.answer import Answer
from core.domain.conversation import Exchange
from core.domain.ids import ActorId, ThreadId, WorkspaceId
from core.domain.people import Actor
from core.ports.thread_store import ThreadStore

ANN = Actor(id=ActorId("ann"), workspace=WorkspaceId("acme"), name="Ann")
HERE, THERE = ThreadId("here"), ThreadId("there")


class ThreadStoreContract:
    """The subclass gives an empty `threads` fixture."""

    async def test_a_thread_that_nobody_wrote_to_is_empty(self, threads: ThreadStore):
        thread = await threads.load(HERE)

        assert (thread.id, thread.exchanges) == (HERE, ())

    async def test_remembers_exchanges_oldest_first(self, threads: ThreadStore):
        await threads.append(HERE, exchange("one"))
        await threads.append(HERE, exchange("two"))

        assert await _questions(threads, HERE) == ["one", "two"]

    async def test_gives_back_the_whole_exchange(self, threads: ThreadStore):
        await threads.append(HERE, exchange("one"))

        assert (await threads.load(HERE)).exchanges == (exchange("one"),)

    async def test_keeps_threads_apart(self, threads: ThreadStore):
        await threads.append(HERE, exchange("one"))

        assert await _questions(threads, THERE) == []

    async def test_keeps_the_last_ten(self, threads: ThreadStore):
        for n in range(12):
            await threads.append(HERE, exchange(f"question {n}"))

        assert await _questions(threads, HERE) == [f"question {n}" for n in range(2, 12)]

    async def test_two_at_once_are_both_kept(self, threads: ThreadStore):
        async with asyncio.TaskGroup() as tasks:
            for n in range(5):
                tasks.create_task(threads.append(HERE, exchange(str(n))))

        assert sorted(await _questions(threads, HERE)) == ["0", "1", "2", "3", "4"]

    async def test_forgets(self, threads: ThreadStore):
        await threads.append(HERE, exchange("one"))
        await threads.append(THERE, exchange("two"))

        await threads.forget(HERE)
        await threads.forget(ThreadId("never seen"))

        assert await _questions(threads, HERE) == []
        assert await _questions(threads, THERE) == ["two"]


def exchange(question: str) -> Exchange:
    return Exchange(
        question=question,
        asked_by=ANN,
        answer=Answer(text=f"answer to {question}", assumptions=("gross",), connection="shop"),
    )


async def _questions(threads: ThreadStore, thread: ThreadId) -> list[str]:
    return [exchange.question for exchange in (await threads.load(thread)).exchanges]
