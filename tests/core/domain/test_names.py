from core.domain.names import nearest, unknown_name


def test_finds_what_was_meant_whatever_the_letter_case():
    assert nearest("Custmers", ["customers", "orders"]) == ("customers",)
    assert nearest("revenue_usd", ["id", "rev_usd", "day"])[0] == "rev_usd"


def test_says_which_names_there_are():
    assert unknown_name("table", "xyz", ["a1", "b2"]) == (
        "There is no table 'xyz'. The nearest: a1, b2."
    )
    assert unknown_name("table", "xyz", []) == "There is no table 'xyz', and none at all to read."
