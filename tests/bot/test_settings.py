from pathlib import Path

import pytest

from bot.settings import Settings, read_settings
from core.domain.errors import SettingsInvalid
from core.domain.rights import Rights


def settings_of(tmp_path: Path, text: str, **environ: str) -> Settings:
    file = tmp_path / "resona.toml"
    file.write_text(text)
    return read_settings({"RESONA_CONFIG": str(file), **environ})


def test_has_a_default_for_everything():
    settings = read_settings({})

    assert settings.page.host == "127.0.0.1"
    assert settings.model.provider == "offline"
    assert not settings.connections


def test_a_variable_is_stronger_than_the_file(tmp_path: Path):
    settings = settings_of(tmp_path, "[page]\nport = 1\n", RESONA_PAGE__PORT="9000")

    assert settings.page.port == 9000


def test_a_secret_is_read_from_the_variable_that_the_file_names(tmp_path: Path):
    settings = settings_of(
        tmp_path, '[connections.shop]\nurl_env = "SHOP_URL"\n', SHOP_URL="postgresql://u:pw@h/db"
    )

    assert settings.connections["shop"].url.get_secret_value() == "postgresql://u:pw@h/db"


def test_no_secret_shows_in_the_settings_text(tmp_path: Path):
    environ = {"RESONA_PAGE__TOKEN": "hush"}
    settings = settings_of(
        tmp_path,
        '[connections.shop]\nurl = "postgresql://u:hush@h/db"\n'
        '[model]\nprovider = "litellm"\nmodel = "a/b"\napi_key = "hush"\n',
        **environ,
    )

    assert "hush" not in repr(settings)


@pytest.mark.parametrize(
    ("text", "environ", "words"),
    [
        ("[page]\nport = 'many'\n", {}, "page.port"),
        ("[page]\nhost = '0.0.0.0'\n", {}, "page.token must be set"),
        ("[pages]\nport = 1\n", {}, "pages"),
        ("page = [", {}, "not valid TOML"),
        ("[connections.shop]\nurl_env = 'NOT_SET'\n", {}, "NOT_SET, which is not set"),
        ("default_connection = 'shop'\n", {}, "'shop' is not one of: demo"),
        ("", {"RESONA_MODEL__PROVIDER": "crystal ball"}, "model.*provider"),
        ("", {"RESONA_CONFIG": "no/such/file.toml"}, "there is no such file"),
        ("", {"RESONA_FOO": "hush"}, r"foo \(the variable RESONA_FOO\) is no setting"),
        ("", {"RESONA_PAGE__PROT": "1"}, r"page.prot \(.*\) is no setting; did you mean page.port"),
        ("[conections.a]\nurl = 'hush'\n", {}, "no setting; did you mean connections"),
        ("[connections.a]\nurl = 'x'\nurll = 'y'", {}, "did you mean connections.a.url"),
        ("[connections]\na = 'hush'\n", {}, "connections.a is a section"),
        ("page = 'hush'\n", {}, "page is a section"),
        ("page = 'hush'\n", {"RESONA_PAGE__PORT": "a"}, "page.port"),
        ("[connections.a]\n", {}, "connections.a.url is missing"),
        ("", {"RESONA_MODEL__PROVIDER": "openai_protocol"}, "fit: model.model is missing"),
        ("[models.a]\nprovider = 'litellm'\n", {}, "fit: models.a.model is missing"),
        ("[models.a]\nmodel = 'x'\n", {}, "models.a.provider is missing"),
        ("log_level = 'loud'\n", {}, "log_level is not one of: 'DEBUG', 'INFO'"),
        ("[slack]\nbot_token = 'hush'\n", {}, "fit: slack.app_token .* is needed"),
    ],
)
def test_a_wrong_setting_is_named(tmp_path: Path, text: str, environ: dict[str, str], words: str):
    with pytest.raises(SettingsInvalid, match=words) as caught:
        settings_of(tmp_path, text, **environ)

    assert "hush" not in str(caught.value)


def test_a_file_as_windows_writes_it_and_a_level_in_small_letters_are_read(tmp_path: Path):
    assert settings_of(tmp_path, "\ufefflog_level = 'debug'\n").log_level == "DEBUG"


@pytest.mark.parametrize(
    ("model", "why"),
    [
        ({"fallbacks": ["nobody"]}, "'nobody' is not one of: offline, two"),
        ({"by_family": {"time": "nobody"}}, "'nobody' is not one of: offline, two"),
        ({"by_family": {"cooking": "two"}}, "'cooking' is not one of: analyze"),
    ],
)
def test_names_of_models_and_families_are_known(model: dict[str, object], why: str):
    two = {"provider": "litellm", "model": "anthropic/two"}

    with pytest.raises(ValueError, match=why):
        Settings.model_validate({"model": model, "models": {"two": two}})


def test_fallbacks_can_be_set_by_a_variable():
    settings = read_settings({"RESONA_MODEL__FALLBACKS": "offline, offline"})

    assert settings.model.fallbacks == ("offline", "offline")


def test_rights_of_a_connection_name_people_groups_and_columns(tmp_path: Path):
    settings = settings_of(
        tmp_path,
        """
        state_url_env = "STATE"
        [people]
        admins = ["slack:T1:U1"]
        [groups]
        finance = ["slack:T1:U2"]
        [connections.hr]
        url = "hr.sqlite"
        [connections.hr.rights]
        people = ["@finance", "@admin", "slack:T1:U3"]
        places = ["slack:C1"]
        approvers = ["@finance"]
        hide = ["people.ssn"]
        mask = ["*.email"]
        """,
        STATE="postgresql://x:y@z/w",
    )

    assert settings.connections["hr"].rights == Rights(
        people=("@finance", "@admin", "slack:T1:U3"),
        places=("slack:C1",),
        approvers=("@finance",),
        hide=("people.ssn",),
        mask=("*.email",),
    )
    assert settings.state_url is not None
    assert settings.state_url.get_secret_value() == "postgresql://x:y@z/w"
    assert "x:y" not in repr(settings)


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ('[connections.hr]\nurl = "x"\nrights = {people = ["@nobody"]}', "no such group"),
        ('[connections.hr]\nurl = "x"\nrights = {approvers = ["@nobody"]}', "no such group"),
        ('[connections.hr]\nurl = "x"\nrights = {hidden = ["a.b"]}', "hidden"),
        ('[groups]\nadmin = ["ann"]', "called like a role"),
    ],
)
def test_a_misspelt_right_is_refused(tmp_path: Path, lines: str, words: str):
    with pytest.raises(SettingsInvalid, match=words):
        settings_of(tmp_path, lines)


def test_keys_are_a_list_with_commas_and_never_shown():
    settings = read_settings({"RESONA_SECRET_KEYS": "newer, older,"})

    assert settings.encryption_keys == ("newer", "older")
    assert "newer" not in repr(settings)
    assert read_settings({}).encryption_keys == ()


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({}, "slack.bot_token"),
        ({"bot_token": "xoxb-a", "client_id": "1", "client_secret": "s"}, "slack.bot_token"),
        ({"client_id": "1"}, "slack.client_secret"),
        ({"client_secret": "s"}, "slack.client_id"),
        ({"client_id": "1", "client_secret": "s"}, "slack.workspaces"),
    ],
)
def test_slack_is_one_workspace_or_an_app_for_several(given: dict[str, str], problem: str):
    slack = {"mode": "http", "signing_secret": "s", **given}
    environ = {f"RESONA_SLACK__{name.upper()}": value for name, value in slack.items()}

    with pytest.raises(SettingsInvalid, match=problem) as refused:
        read_settings(environ)

    assert "xoxb-a" not in str(refused.value)


def test_who_may_install_is_a_list():
    slack = {"mode": "http", "signing_secret": "s", "client_id": "1", "client_secret": "s"}
    chosen = {**slack, "workspaces": "T1, E1"}
    environ = {f"RESONA_SLACK__{name.upper()}": value for name, value in chosen.items()}

    settings = read_settings(environ).slack

    assert settings is not None
    assert settings.workspaces == ("T1", "E1")


def test_passwords_are_typed_under_an_address_with_tls_only():
    def with_url(url: str) -> str:
        return read_settings({"RESONA_PAGE__PUBLIC_URL": url}).page.public_url

    assert with_url("https://resona.example.com/") == "https://resona.example.com"
    assert with_url("http://localhost:8080") == "http://localhost:8080"
    for wrong in ("http://resona.example.com", "resona.example.com", "https//x"):
        with pytest.raises(SettingsInvalid, match=r"page\.public_url.*https"):
            with_url(wrong)
