import json
from pathlib import Path

import pytest

from adapters.slack import limits
from bot.cli.main import main
from bot.slack_manifest import EVENTS, SCOPES, manifest
from core.domain.errors import SettingsInvalid
from tests.kit.slack_manifest_rules import at, manifest_errors

ROOT = Path(__file__).parents[2]


def test_every_scope_is_used_by_a_method_or_an_event():
    used = set(limits.SCOPES.values()) | set(EVENTS.values()) - {""}

    assert used <= set(SCOPES)
    # The same event, from private channels; and commands, which are no method and no event.
    assert set(SCOPES) - used == {"groups:read", "commands"}
    assert "slash_commands" in json.dumps(manifest(None, ()))


def test_the_files_in_the_repository_are_the_ones_that_are_printed(
    capsys: pytest.CaptureFixture[str],
):
    assert main(["manifest", "slack"]) == 0

    printed = capsys.readouterr().out
    assert json.loads(printed) == json.loads(
        (ROOT / "manifest/slack/manifest.json").read_text(encoding="utf-8")
    )


def test_signed_requests_go_to_the_one_path():
    made = json.dumps(manifest("https://resona.example.com/", ()))

    assert made.count("https://resona.example.com/slack/events") == 3
    assert '"socket_mode_enabled": false' in made


def test_an_app_for_several_workspaces_says_where_slack_sends_back_to(
    capsys: pytest.CaptureFixture[str],
):
    address = "https://resona.example.com"
    assert main(["manifest", "slack", "--url", f"{address}/slack/events", "--several"]) == 0
    made = json.loads(capsys.readouterr().out)

    assert made["oauth_config"]["redirect_urls"] == [f"{address}/slack/oauth_redirect"]
    assert made["settings"]["token_rotation_enabled"]
    assert made["settings"]["org_deploy_enabled"]


def test_without_an_address_nobody_could_be_sent_back():
    with pytest.raises(SettingsInvalid, match="--url"):
        manifest(None, (), several=True)


@pytest.mark.parametrize("url", ["http://resona.example.com", "resona.example.com", "https://"])
def test_an_address_that_slack_does_not_take_is_refused(url: str):
    with pytest.raises(SettingsInvalid, match="one like https"):
        manifest(url, ())


@pytest.mark.parametrize(
    ("url", "several"), [(None, False), ("https://a.example", False), ("https://a.example", True)]
)
def test_slack_takes_every_form_of_it(url: str | None, *, several: bool):
    made = json.loads(json.dumps(manifest(url, ("x" * 200,) * 9, several=several)))

    assert manifest_errors(made) == []
    assert len(made["features"]["agent_view"]["suggested_prompts"][0]["title"]) <= 75


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("features.assistant_view", {"assistant_description": "x"}),
        ("features.surprise", {}),
        ("display_information.name", "x" * 36),
        ("settings.socket_mode_enabled", False),
        ("settings.event_subscriptions.bot_events", ["app_mention"] * 2),
        ("features.agent_view.suggested_prompts", [{"title": "x", "message": "y"}] * 5),
        ("oauth_config.redirect_urls", ["http://a.example"]),
    ],
)
def test_the_rules_see_what_slack_would_refuse(path: str, value: object):
    made = json.loads(json.dumps(manifest(None, ("x",))))
    room, _, key = path.rpartition(".")
    at(made, room)[key] = value

    assert len(manifest_errors(made)) >= 1


def test_every_scope_has_its_reason(capsys: pytest.CaptureFixture[str]):
    assert main(["manifest", "slack", "--scopes"]) == 0
    assert capsys.readouterr().out.count("\n") == len(SCOPES)
