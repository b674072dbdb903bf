from pathlib import Path

import pytest
from pydantic import ValidationError

from bot.saved_connections import SavedConnection, add, load, remove, with_saved
from bot.settings import Settings
from core.domain.errors import ConnectionUnusable, SettingsInvalid

FILE = SavedConnection(url="/data/shop.sqlite", description="The shop", schemas=("a", "b"))


def test_keeps_what_was_added_and_forgets_what_was_removed(tmp_path: Path):
    add(tmp_path, "shop", FILE)
    add(tmp_path, "other", SavedConnection(url_env="OTHER_URL"))

    assert load(tmp_path) == {"shop": FILE, "other": SavedConnection(url_env="OTHER_URL")}

    remove(tmp_path, "other")
    assert set(load(tmp_path)) == {"shop"}


def test_adding_again_replaces(tmp_path: Path):
    add(tmp_path, "shop", FILE)
    add(tmp_path, "shop", SavedConnection(url="/data/new.sqlite"))

    assert load(tmp_path)["shop"].url == "/data/new.sqlite"


@pytest.mark.parametrize("name", ["", "a b", "../x", "1st", "demo", "a" * 65])
def test_refuses_a_name_that_is_none(tmp_path: Path, name: str):
    with pytest.raises(SettingsInvalid, match="cannot be a connection's name"):
        add(tmp_path, name, FILE)


def test_writes_no_password_down(tmp_path: Path):
    with pytest.raises(SettingsInvalid, match="--url-env") as refused:
        add(tmp_path, "shop", SavedConnection(url="postgresql://me:secret@host/shop"))

    assert "secret" not in str(refused.value)
    assert not list(tmp_path.iterdir())


def test_a_setting_is_no_place_for_an_address(tmp_path: Path):
    with pytest.raises(SettingsInvalid, match="RESONA_"):
        add(tmp_path, "shop", SavedConnection(url_env="RESONA_SHOP"))


def test_an_address_is_given_once():
    with pytest.raises(ValidationError):
        SavedConnection()
    with pytest.raises(ValidationError):
        SavedConnection(url="a", url_env="b")


def test_removing_what_is_not_there_says_so(tmp_path: Path):
    with pytest.raises(ConnectionUnusable, match="no saved connection 'shop'"):
        remove(tmp_path, "shop")


def test_a_file_that_was_spoilt_is_named(tmp_path: Path):
    (tmp_path / "connections.json").write_text("{", encoding="utf-8")

    with pytest.raises(SettingsInvalid, match=r"connections\.json"):
        load(tmp_path)


def test_settings_win_over_what_was_saved_and_unknown_addresses_stay_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("SHOP_URL", "postgresql://me:secret@host/shop")
    monkeypatch.delenv("GONE_URL", raising=False)
    add(tmp_path, "shop", SavedConnection(url_env="SHOP_URL"))
    add(tmp_path, "gone", SavedConnection(url_env="GONE_URL"))
    add(tmp_path, "both", FILE)
    settings = Settings.model_validate(
        {"state_dir": tmp_path, "connections": {"both": {"url": "from the settings"}}}
    )

    known = with_saved(settings).connections

    assert set(known) == {"shop", "both"}
    assert known["shop"].url.get_secret_value() == "postgresql://me:secret@host/shop"
    assert known["both"].url.get_secret_value() == "from the settings"
