from itertools import pairwise

from adapters.inmemory.clock import InMemoryClock
from adapters.slack import limits
from adapters.slack.pacing import Pacing


def test_answers_that_come_all_at_once_get_turns_that_slack_takes():
    pacing = Pacing(InMemoryClock())

    turns = [pacing.reserve("chat.update") for _ in range(200)]

    assert turns[:10] == [0.0] * 10
    assert turns == sorted(turns)
    # However the minute is laid, it has no more calls than Slack allows.
    in_a_minute = [sum(at <= turn < at + 60 for turn in turns) for at in turns]
    assert max(in_a_minute) <= limits.CALLS_A_MINUTE["chat.update"] + 10


def test_after_a_refusal_the_first_goes_when_slack_says_and_the_others_behind_it():
    pacing = Pacing(InMemoryClock())
    waiting = 5
    for _ in range(waiting):
        pacing.reserve("chat.stopStream")
    for _ in range(waiting):
        pacing.closed("chat.stopStream", 30)

    turns = [pacing.reserve("chat.stopStream") for _ in range(waiting)]

    assert turns[0] == 30
    gaps = [later - earlier for earlier, later in pairwise(turns)]
    assert min(gaps) >= 60 / limits.CALLS_A_MINUTE["chat.stopStream"]


async def test_progress_takes_no_turn_while_answers_wait_for_theirs():
    clock = InMemoryClock()
    pacing = Pacing(clock)
    for _ in range(40):
        pacing.reserve("chat.update")

    assert not pacing.has_room("chat.update")
    clock.advance(60)
    assert pacing.has_room("chat.update")
