import pytest

from core.memory.words import asked_words, could_mean, is_shortened, stem, words_of


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("order_items", ["order", "item"]),
        ("OrderItems", ["order", "item"]),
        ("HTTPRequestID", ["http", "request", "id"]),
        ("dim_customer2024", ["dim", "customer", "2024"]),
        ("Größe der Straße", ["grosse", "der", "strasse"]),
        ("売上_by_month", ["売上", "by", "month"]),
        ("", []),
    ],
)
def test_names_fall_into_words(name: str, words: list[str]):
    assert words_of(name) == [stem(word) for word in words]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("orders", "order"),
        ("categories", "category"),
        ("boxes", "box"),
        ("shipped", "ship"),
        ("shipping", "ship"),
        ("invoices", "invoice"),
        ("addresses", "address"),
        ("qty", "quantity"),
        ("txns", "transactions"),
        ("no", "numbers"),
    ],
)
def test_forms_of_one_word_are_one(one: str, other: str):
    assert stem(one) == stem(other)


@pytest.mark.parametrize("word", ["status", "address", "analysis", "news", "gas", "red"])
def test_words_that_only_end_so_are_not_cut_to_nothing(word: str):
    assert len(stem(word)) >= 3


def test_a_question_keeps_the_words_that_can_name_something():
    words = asked_words("How many of the orders were shipped to Spain in the last month, orders?")

    assert words == [stem("order"), stem("shipped"), "spain", "month"]


@pytest.mark.parametrize(
    ("short", "word", "could"),
    [
        ("cstmr", "customer", True),
        ("amt", "amount", True),
        ("prd", "product", True),
        ("amt", "customer", False),
        ("cmt", "customer", False),
        ("customer", "cust", False),
    ],
)
def test_a_shortening_leaves_letters_out(short: str, word: str, *, could: bool):
    assert could_mean(short, word) is could


def test_a_word_without_its_vowels_looks_shortened():
    assert is_shortened("cstmr")
    assert not is_shortened("customer")
    assert not is_shortened("2024")
