from pathlib import Path

import pytest

from bot.cli.choosing import choose
from bot.saved_connections import SavedConnection, add
from core.domain.errors import ConnectionUnusable


def test_nothing_given_leaves_the_default():
    assert choose(None).connection is None


def test_a_known_name_is_that_connection(state_dir: Path):
    add(state_dir, "shop", SavedConnection(url="/data/shop.sqlite"))

    assert choose("shop").connection == "shop"
    assert choose("demo").connection == "demo"


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("/data/my shop.sqlite", "my_shop"),
        ("./shop.db", "shop"),
        ("postgresql://me@host:5432/sales?sslmode=require", "sales"),
        ("sqlite:////data/shop.sqlite", "shop"),
        ("mysql://me@host/", "database"),
        ("demo.sqlite", "demo_"),
    ],
)
def test_an_address_becomes_a_connection_with_a_name_of_its_own(address: str, name: str):
    chosen = choose(address)

    assert chosen.connection == name
    assert chosen.settings.connections[name].url.get_secret_value() == address


def test_a_file_without_an_ending_is_an_address_where_it_is(tmp_path: Path):
    (tmp_path / "shop").write_bytes(b"")

    assert choose("shop").connection == "shop"


def test_an_unknown_name_lists_the_nearest(state_dir: Path):
    add(state_dir, "shop", SavedConnection(url="/data/shop.sqlite"))

    with pytest.raises(ConnectionUnusable, match=r"'shpo'.*shop.*postgresql://"):
        choose("shpo")


def test_a_connection_whose_variable_is_not_set_names_it(state_dir: Path):
    add(state_dir, "shop", SavedConnection(url_env="SHOP_URL_OF_THIS_TEST"))

    with pytest.raises(ConnectionUnusable, match="SHOP_URL_OF_THIS_TEST"):
        choose("shop")
