import pytest

from core.agent.sense import says_nothing, without_control

TABLE = "| month | orders |\n| --- | --- |\n" + "".join(
    f"| 2024-{month:02} | {100 + month * 7:,} |\n" for month in range(1, 13)
)
ZEROS = "".join(f"- {name} sold 0 pieces in March.\n" for name in range(100, 190))
BARS = "".join(f"{name} {'█' * width} {width}\n" for name, width in [("North", 40), ("South", 25)])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "7",
        "???",
        ":-) (-: ;-) :o)",
        "There are 51,724 orders, worth $1,234,567.89 (about 3.2 %).",
        "注文は51724件です。",
        "Заказов: 51 724.",
        "# Orders\n\n" + TABLE,
        TABLE * 8,
        ZEROS,
        BARS,
        '{"orders": 51724, "revenue": 1234.5}',
        "```sql\nSELECT count(*) FROM orders WHERE day >= '2024-01-01' AND (a = 1 OR b = 2)\n```",
    ],
)
def test_what_says_something_is_let_through(text: str):
    assert not says_nothing(text)


@pytest.mark.parametrize(
    "text",
    [
        "word " * 1_000,
        "x" * 20_000,
        "Orders rose. " * 400,
        "again and " * 2_000,
        "{}[]<>\"':,;\\" * 8,
        "{a}];<,'\"b[c>\\" * 30,
    ],
)
def test_signs_and_loops_say_nothing(text: str):
    assert says_nothing(text)


def test_what_nobody_can_see_is_taken_out():
    assert without_control("a\x00b\r\nc\td\x1b[1m\ufffe 🙂 e\u0301") == "ab\nc\td[1m 🙂 e\u0301"
