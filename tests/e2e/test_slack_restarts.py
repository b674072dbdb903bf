import math
from pathlib import Path

from slack_sdk.oauth.installation_store import Installation

from adapters.inmemory.clock import SystemClock
from adapters.storage.opening import open_state
from adapters.storage.secrets import SecretBox
from bot.slack_tenants import kept_installations
from tests.kit.openai_wire import Reply
from tests.kit.slack_installs import CLIENT_ID, CLIENT_SECRET
from tests.kit.slack_process import Scene, scene
from tests.kit.slack_stage import INTENT, calling
from tests.kit.slack_world import TEAM, SlackWorld

TOTAL = calling("run_query", sql="SELECT SUM(amount) AS total FROM orders")
SILENCE = Reply(text=("never",), sends_head=False)
NOTE = "I answer you privately"
SEVERAL = {
    "slack__bot_token": "",
    "slack__client_id": CLIENT_ID,
    "slack__client_secret": CLIENT_SECRET,
    "slack__workspaces": "*",
}


def for_ann_alone(folder: Path) -> dict[str, str]:
    """Return settings under which a channel may not see what one person may ask."""
    file = folder / "resona.toml"
    file.write_text(f'[connections.shop.rights]\npeople = ["slack:{TEAM}:U1"]\n')
    return {"config": str(file)}


async def installed(here: Scene, team: str) -> SlackWorld:
    """Let a workspace have installed the app before any process ran."""
    world, token = here.slack.install.add(team, team), f"xoxb-secret-{team}"
    world.tokens = {token: math.inf}
    clock = SystemClock()
    async with open_state(f"sqlite:///{here.folder}/state.sqlite", clock) as state:
        store = kept_installations(state, SecretBox((), here.folder / "secret.key"), clock)
        await store.async_save(
            Installation(
                team_id=team,
                team_name=team,
                user_id="U1",
                bot_token=token,
                bot_id="B1",
                bot_user_id=world.bot_user,
            )
        )
    return world


async def test_a_private_answer_stays_private_when_its_process_was_killed(tmp_path: Path):
    async with scene(tmp_path) as here:
        settings = for_ann_alone(tmp_path)
        here.model_says(INTENT)
        here.model.queue(SILENCE)
        first = await here.start(**settings)
        await here.slack.asks("U1", "what is the total?")
        await here.until(lambda _: len(here.model.requests) == 2)
        await here.until_shown(NOTE)
        await here.kill(first)
        here.model_says(INTENT, TOTAL, "The total is 3.5.", INTENT, "Still 3.5.")
        await here.start(**settings)
        begun_again = await here.until_shown("The total is 3.5.")
        again = here.slack.says("U1", "again?", channel="D1", thread_ts=begun_again.thread_ts)
        await here.slack.event(again)
        answer = await here.until_shown("Still 3.5.")

    in_channel = [each.text for each in here.world.seen() if each.channel == "C1"]
    assert len(in_channel) == 1
    assert NOTE in in_channel[0]
    assert (begun_again.channel, answer.channel) == ("D1", "D1")
    assert answer.thread_ts == begun_again.thread_ts


async def test_every_installed_workspace_is_given_what_a_killed_process_owed_it(tmp_path: Path):
    async with scene(tmp_path) as here:
        one, two = await installed(here, "T2"), await installed(here, "T3")
        here.model_says(INTENT)
        here.model.queue(SILENCE)
        first = await here.start(**SEVERAL)
        await here.slack.asks("U1", "what is the total?", world=one)
        await here.until(lambda _: len(here.model.requests) == 2)
        await here.kill(first)
        here.model_says(INTENT, TOTAL, "The total is 3.5.")
        await here.start(**SEVERAL)
        await here.until(lambda _: any("is 3.5." in each.words for each in one.seen()))
        here.model_says(INTENT, TOTAL, "The total is 3.5.")
        await here.slack.asks("U1", "what is the total?", world=two)
        await here.until(lambda _: any("is 3.5." in each.words for each in two.seen()))

    assert len(one.seen()) == len(two.seen()) == 1
    assert not here.world.seen()
