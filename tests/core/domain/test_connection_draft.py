from dataclasses import replace

import pytest

from adapters.warehouses.location import ServerLocation, locate
from bot.saved_connections import SavedConnection, check, with_password
from core.domain.connection_draft import ConnectionDraft, Engine

HUSH = "p@ss/w:rd?#"
GOOD = ConnectionDraft(name="sales", host="db.example.com", database="shop", user="reader")


@pytest.mark.parametrize("engine", list(Engine))
@pytest.mark.parametrize("host", ["db.example.com", "10.0.0.7", "::1", "[2001:db8::7]", "db-1_x"])
@pytest.mark.parametrize("user", ["reader", "re@der:%", "日本"])
def test_its_address_leads_where_the_fields_say(engine: Engine, host: str, user: str):
    draft = replace(GOOD, engine=engine, host=host, user=user, database="my shop?#", port="6000")

    assert not draft.problems()
    check(draft.name, SavedConnection(url=draft.url))
    location = locate(with_password(draft.url, HUSH))
    assert isinstance(location, ServerLocation)
    assert (location.host, location.port) == (host.strip("[]"), 6000)
    assert (location.user, location.database) == (user, "my shop?#")
    assert location.password == HUSH


def test_the_usual_port_need_not_be_given():
    assert ":5432/" in GOOD.url
    assert ":3306/" in replace(GOOD, engine=Engine.MARIADB).url


def test_an_encrypted_line_is_asked_for_unless_it_is_not_wanted():
    assert "sslmode=require" in GOOD.url
    assert "ssl-mode=required" in replace(GOOD, engine=Engine.MYSQL).url
    assert "?" not in replace(GOOD, encrypted=False).url


def test_lists_are_taken_with_commas_and_numbers_as_people_write_them():
    draft = replace(
        GOOD,
        tables="orders, shop.people",
        hide="people.ssn,codes.*",
        mask="*.email",
        ask_above="2,500 000",
    )

    assert not draft.problems()
    assert draft.table_names == ("orders", "shop.people")
    assert (draft.hidden, draft.masked) == (("people.ssn", "codes.*"), ("*.email",))
    assert draft.rows_unasked == 2_500_000
    assert GOOD.rows_unasked is None


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("name", ""),
        ("name", "two words"),
        ("name", "demo"),
        ("host", ""),
        ("host", "postgresql://db.example.com"),
        ("host", "me:hidden@db.example.com"),
        ("host", "db.example.com/shop"),
        ("host", "-x"),
        ("port", "0"),
        ("port", "65536"),
        ("port", "\uff15\uff14"),
        ("port", "5432;"),
        ("database", ""),
        ("database", "a/b"),
        ("user", "a\nb"),
        ("description", "x" * 501),
        ("hide", "ssn"),
        ("hide", "people.ssn, codes"),
        ("mask", "people."),
        ("ask_above", "0"),
        ("ask_above", "many"),
        ("ask_above", "-5"),
    ],
)
def test_what_cannot_stay_is_said_at_its_field(field: str, text: str):
    problems = replace(GOOD, **{field: text}).problems()

    assert list(problems) == [field]
    assert "hidden" not in problems[field]


def test_a_connection_for_one_channel_needs_the_channel():
    assert list(replace(GOOD, only_there=True).problems()) == ["channel"]
    assert not replace(GOOD, only_there=True, channel="C1").problems()
