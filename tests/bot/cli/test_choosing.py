from pathlib import Path

import pytest

from bot.cli.choosing import choose
from bot.cli.main import main
from core.domain.errors import ConnectionUnusable


def test_nothing_given_leaves_the_default():
    assert choose(None).connection is None


def test_a_known_name_is_that_connection():
    main(["connect", "add", "shop", "/data/shop.sqlite", "--no-test"])

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


def test_an_unknown_name_lists_the_nearest():
    main(["connect", "add", "shop", "/data/shop.sqlite", "--no-test"])

    with pytest.raises(ConnectionUnusable, match=r"'shpo'.*shop.*postgresql://"):
        choose("shpo")


def test_what_was_added_is_stronger_than_a_file_of_that_name(tmp_path: Path):
    (tmp_path / "shop").write_bytes(b"")
    main(["connect", "add", "shop", "/data/shop.sqlite", "--no-test"])

    assert "shop" not in choose("shop").settings.connections


def test_a_connection_whose_variable_is_not_set_names_it(capsys: pytest.CaptureFixture[str]):
    main(["connect", "add", "shop", "--url-env", "SHOP_URL_OF_THIS_TEST", "--no-test"])

    assert main(["connect", "test", "shop"]) == 5

    assert "SHOP_URL_OF_THIS_TEST" in capsys.readouterr().err
