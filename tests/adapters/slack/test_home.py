import json
from typing import Any

import pytest

from adapters.slack.home import Asked, HomeState, Usable, home_blocks
from adapters.slack.places import Place
from tests.kit.slack_rules import view_errors

LINK = "https://acme.slack.example/archives/C1/p1"
NASTY = "<!channel> <@U2> *bold* `x` & <http://a|b> "
PLACE = Place(team="T1", channel="C1", thread="1.0")


def shown(state: HomeState, link: str = LINK) -> list[Any]:
    return list(home_blocks(state, [link] * len(state.recent), bot="UBOT"))


def usable(text: str) -> Usable:
    return Usable(name=text, description=text, facts=(text, text))


def state(connections: int, recent: int, text: str) -> HomeState:
    return HomeState(
        connections=(usable(text),) * connections,
        recent=(Asked(question=text, about=text, place=PLACE),) * recent,
        usage=text,
    )


@pytest.mark.parametrize("connections", [0, 1, 20, 21, 500])
@pytest.mark.parametrize("text", ["shop", NASTY * 200, " ", "\x00", "日本" * 500])
def test_slack_takes_it_whatever_there_is(connections: int, text: str):
    blocks = shown(state(connections, 8, text))

    assert not view_errors({"type": "home", "blocks": blocks})


def test_nothing_from_data_calls_anybody_or_leads_anywhere():
    blocks = shown(state(1, 1, NASTY), link="")
    written = json.dumps(blocks).replace("<@UBOT>", "")

    assert "<" not in written
    assert "*bold*" not in written


def test_says_where_there_is_nothing():
    written = json.dumps(shown(state(0, 0, "-")))

    assert "no database that you may ask" in written
    assert "None yet." in written
    assert "open the thread" not in written


def test_leads_back_to_each_thread():
    assert json.dumps(shown(state(1, 3, "shop"))).count(f"<{LINK}|open the thread>") == 3
