from dataclasses import dataclass, field

import pytest

from bot.cli.console import Console
from bot.cli.deciding import AtTerminal, going_on
from core.domain.answer import Answer, Steps
from core.domain.decisions import Approval, Approved, Choice, Clarification, Clarified, Decision
from core.domain.ids import DecisionId, QueryHash
from core.domain.query import CostEstimate
from core.domain.view import MessageView

CLARIFICATION = Clarification(id=DecisionId("d"), question="Which?", options=("Revenue", "Units"))
APPROVAL = Approval(
    id=DecisionId("d"),
    reason="It reads a lot.",
    sql="SELECT 1",
    query_hash=QueryHash("0"),
    estimate=CostEstimate(rows=1e9),
)


@dataclass(frozen=True, slots=True)
class TypedConsole(Console):
    """Somebody sits there and types one line."""

    typed: str = ""
    shown: list[str] = field(default_factory=list[str])

    def say(self, text: str) -> None:
        self.shown.append(text)

    def ask(self, prompt: str) -> str:
        self.shown.append(prompt)
        return self.typed


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("2", "Units"), ("1", "Revenue"), ("profit", "profit"), ("3", "3"), ("0", "0"), ("²", "²")],
)
def test_a_number_is_an_option_and_anything_else_own_words(typed: str, meant: str):
    console = TypedConsole(typed=typed)

    answer = AtTerminal(console=console, interactive=True)(CLARIFICATION)

    assert isinstance(answer, Clarified)
    assert answer.text == meant
    assert "  2. Units" in console.shown[0]


@pytest.mark.parametrize(
    ("typed", "asks"),
    [("yes", "yes"), ("only Spain", "only Spain"), ("", ""), ("n", ""), ("No", "")],
)
def test_whoever_is_led_is_asked_whether_to_go_on(typed: str, asks: str):
    led = Answer(text="Two of three.", steps=Steps(done=("a", "b"), ahead=("c",)))

    assert going_on(MessageView(answer=led), TypedConsole(typed=typed)) == asks


def test_nobody_is_asked_to_go_on_with_nothing():
    console = TypedConsole(typed="yes")
    done = Answer(text="All three.", steps=Steps(done=("a", "b", "c")))

    assert going_on(MessageView(answer=done), console) == ""
    assert console.shown == []


@pytest.mark.parametrize(
    ("typed", "choice"),
    [("a", Choice.APPROVE), ("Cheaper", Choice.CHEAPER), ("n", Choice.CANCEL)],
)
def test_a_letter_is_a_choice(typed: str, choice: Choice):
    answer = AtTerminal(console=TypedConsole(typed=typed), interactive=True)(APPROVAL)

    assert isinstance(answer, Approved)
    assert answer.choice is choice


@pytest.mark.parametrize("decision", [CLARIFICATION, APPROVAL])
def test_nothing_typed_decides_nothing(decision: Decision):
    assert AtTerminal(console=TypedConsole(), interactive=True)(decision) is None


@pytest.mark.parametrize("decision", [CLARIFICATION, APPROVAL])
def test_nobody_there_decides_nothing(decision: Decision):
    console = TypedConsole(typed="a")

    assert AtTerminal(console=console, interactive=False)(decision) is None
    assert not console.shown


def test_yes_approves_beforehand_and_answers_nothing_else():
    terminal = AtTerminal(console=TypedConsole(), interactive=False, yes=True)

    answer = terminal(APPROVAL)

    assert isinstance(answer, Approved)
    assert answer.choice is Choice.APPROVE
    assert terminal(CLARIFICATION) is None
