"""What every UsageLog does. Subclass it next to the implementation; add nothing to pass."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from core.domain.ids import ActorId, ConnectionName, TurnId, WorkspaceId
from core.domain.people import Place
from core.domain.usage import TurnUsage, UsageLine, UsageSearch
from core.ports.usage_log import UsageLog

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)
ACME = WorkspaceId("acme")
WEEK = UsageSearch(workspace=ACME, since=NOW - timedelta(days=7))
ASKED = TurnUsage(
    at=NOW,
    turn=TurnId("t1"),
    actor=ActorId("ann"),
    actor_name="Ann",
    workspace=ACME,
    place=Place(platform="slack", channel="C01"),
    connection=ConnectionName("shop"),
    tokens=3_000_000_000,
    usd=0.25,
)
BY_BEN = replace(ASKED, turn=TurnId("t2"), actor=ActorId("ben"), actor_name="Ben", tokens=5, usd=1)


def line(name: str, questions: int, tokens: int, usd: float) -> UsageLine:
    return UsageLine(name=name, questions=questions, tokens=tokens, usd=usd)


class UsageLogContract:
    """The subclass gives an empty `usage` fixture."""

    async def test_nothing_comes_to_nothing(self, usage: UsageLog):
        totals = await usage.totals(WEEK)

        assert totals.all == line("", 0, 0, 0)
        assert totals.people == totals.places == ()

    async def test_adds_up_by_person_and_by_place(self, usage: UsageLog):
        page = Place(platform="page")
        for each in (ASKED, replace(ASKED, turn=TurnId("t3"), place=page), BY_BEN):
            await usage.record(each)

        totals = await usage.totals(WEEK)

        assert totals.all == line("", 3, 6_000_000_005, 1.5)
        assert totals.people == (line("Ann", 2, 6_000_000_000, 0.5), line("Ben", 1, 5, 1))
        assert totals.places == (
            line("slack:C01", 2, 3_000_000_005, 1.25),
            line("page", 1, 3_000_000_000, 0.25),
        )

    async def test_a_turn_of_several_runs_is_one_question(self, usage: UsageLog):
        await usage.record(ASKED)
        await usage.record(ASKED)

        assert (await usage.totals(WEEK)).all == line("", 1, 6_000_000_000, 0.5)

    async def test_what_has_no_known_price_is_not_said_to_have_cost_nothing(self, usage: UsageLog):
        await usage.record(replace(ASKED, usd=0.0, unpriced=True))
        await usage.record(BY_BEN)

        totals = await usage.totals(WEEK)

        assert totals.all.cost_in_words == "at least $1.00"
        assert [each.cost_in_words for each in totals.people] == ["cost not known", "$1.00"]
        assert [each.unpriced for each in totals.places] == [True]

    async def test_what_is_older_or_of_others_does_not_count(self, usage: UsageLog):
        await usage.record(replace(ASKED, at=WEEK.since - timedelta(microseconds=1)))
        await usage.record(replace(ASKED, workspace=WorkspaceId("other")))
        await usage.record(replace(ASKED, at=WEEK.since, tokens=7))
        await usage.record(BY_BEN)

        assert (await usage.totals(WEEK)).all.tokens == 12
        of_ann = await usage.totals(replace(WEEK, actor=ASKED.actor))
        assert (of_ann.all.tokens, len(of_ann.people)) == (7, 1)

    @pytest.mark.parametrize("count", [25])
    async def test_names_twenty_at_most(self, usage: UsageLog, count: int):
        for at in range(count):
            await usage.record(
                replace(ASKED, turn=TurnId(f"t{at}"), actor=ActorId(f"p{at:02}"), tokens=1)
            )

        totals = await usage.totals(WEEK)

        assert (totals.all.questions, len(totals.people)) == (count, 20)
