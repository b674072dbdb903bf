"""A Slack workspace joined with the application: its calls, and who takes its events."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from adapters.slack.bolt_app import Receive, Receivers, Workspace
from adapters.slack.calls import SlackCalls
from adapters.slack.commands import SlashCommands
from adapters.slack.doors import Desk, Spawn
from adapters.slack.greeting import Greeting
from adapters.slack.history import History
from adapters.slack.home import Home, HomeDoors
from adapters.slack.identity import Identity
from adapters.slack.inbox import Inbox
from adapters.slack.people import People
from adapters.slack.pressing import Pressing
from adapters.slack.stopping import Stopping
from adapters.slack.surface import Abilities
from adapters.slack.uploads import Uploads
from bot.connecting import LINK_MINUTES
from bot.slack_approvers import Approvers
from bot.slack_offered import Offered
from bot.slack_private import Choose, PrivateAnswers
from bot.slack_runs import SlackRuns
from bot.turns import Turns


@dataclass(frozen=True, slots=True, kw_only=True)
class Workplace:
    """What all workspaces share; `runs` are those of each workspace that was entered."""

    turns: Turns
    choose: Choose
    home: HomeDoors
    state_dir: Path
    base_url: str
    native_charts: bool
    spawn: Spawn
    offered: Offered
    runs: dict[str, SlackRuns] = field(default_factory=dict[str, SlackRuns])

    def workspace(self, calls: SlackCalls, identity: Identity) -> Workspace:
        """Return a workspace: nothing in it is shared with another one."""
        return Workspace(calls=calls, identity=identity, receivers=self._receivers(calls, identity))

    def _receivers(self, calls: SlackCalls, identity: Identity) -> Receivers:
        host = urlsplit(self.base_url).hostname or ""
        uploads = Uploads(calls, frozenset({host}))
        runs = SlackRuns(
            team=identity.team,
            turns=self.turns,
            state_dir=self.state_dir,
            calls=calls,
            uploads=uploads,
            private=PrivateAnswers(turns=self.turns, calls=calls, choose=self.choose),
            approvers=Approvers(turns=self.turns, calls=calls),
            spawn=self.spawn,
            abilities=Abilities(native_charts=self.native_charts),
        )
        self.runs[identity.team] = runs
        desk = Desk(
            doors=runs.doors,
            calls=calls,
            uploads=uploads,
            files=self.turns.outside.files,
            identity=identity,
            spawn=self.spawn,
        )
        people = People(calls)
        inbox = Inbox(desk, people, History(calls, people, identity.user))
        pressing = Pressing(desk, inbox)
        home = Home(desk, people, self.home)
        runs.ended, runs.named = home.ended, people.named
        commands = SlashCommands(desk, self.offered.doors, people, LINK_MINUTES)
        return Receivers(
            message=inbox.receive,
            press=_first(commands.pressed, pressing.receive),
            check=commands.check,
            window=_first(commands.submitted, pressing.submitted),
            command=commands.receive,
            session_stopped=Stopping(desk, inbox).receive,
            home_opened=home.opened,
            joined=Greeting(desk, self.home).joined,
        )


def _first(takes: Callable[[Mapping[str, object]], bool], other: Receive) -> Receive:
    """Give a payload to the first that takes it."""

    def receive(body: Mapping[str, object]) -> None:
        if not takes(body):
            other(body)

    return receive
