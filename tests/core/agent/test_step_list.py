import pytest

from core.agent.step_list import is_stepwise, listed_steps


@pytest.mark.parametrize(
    ("question", "steps"),
    [
        (
            "Step by step: count the orders, then the customers, then the countries",
            ("count the orders", "count the customers", "count the countries"),
        ),
        (
            "First count the orders, then show revenue by month, and finally list the customers",
            ("count the orders", "show revenue by month", "list the customers"),
        ),
        (
            "First, how many customers? Then, revenue by month. Finally the top 3 products.",
            ("how many customers?", "revenue by month", "the top 3 products"),
        ),
        (
            "1. how many orders are there? 2. revenue by month",
            ("how many orders are there?", "revenue by month"),
        ),
        (
            "Step 1: count orders. Step 2: count customers. Step 3: show revenue by country.",
            ("count orders", "count customers", "show revenue by country"),
        ),
        (
            "Count the orders, and after that show revenue by month",
            ("Count the orders", "show revenue by month"),
        ),
        (
            "First name the regions, then count the customers",
            ("name the regions", "count the customers"),
        ),
        (
            "One step at a time: revenue in 2024, then revenue in 2025, then the difference",
            ("revenue in 2024", "revenue in 2025", "the difference"),
        ),
    ],
)
def test_steps_are_listed_by_words(question: str, steps: tuple[str, ...]):
    assert listed_steps(question) == steps
    assert is_stepwise(question)


@pytest.mark.parametrize(
    "question",
    [
        "For 2025, please do the following steps: 1. count the orders 2. count the customers",
        "Please answer:\n1) count the orders\n2) count the customers\n\nOnly for 2025.",
    ],
)
def test_what_is_said_for_all_steps_is_said_with_each(question: str):
    assert listed_steps(question) == ("count the orders for 2025", "count the customers for 2025")


@pytest.mark.parametrize(
    "question",
    [
        "How many footsteps a day, and how many customers?",
        "doorstep deliveries by month",
        "Is step-up growth better, then?",
        "Compare these products:\n1. Oak Desk\n2. Desk Lamp",
        "what was revenue in the first quarter and then in the second",
        "how many customers bought a desk and after that a lamp?",
        "What was the first order and what happened after that?",
        "how many orders arrived first and then were returned",
        "group orders by region and then show the top 3",
        "revenue next month",
        "Who are the top 5 sellers? Return their ID, first name, last name and total sales amount.",
        "Revenue by seller, first total and last total of the year",
        "First quarter revenue, then the second, then the third",
        "list orders of version 1. 2. 3",
    ],
)
def test_other_words_list_none(question: str):
    assert not is_stepwise(question)


def test_who_wants_to_be_led_may_leave_the_steps_open():
    assert is_stepwise("Walk me through churn step by step")
    assert listed_steps("Walk me through churn step by step") == ()
