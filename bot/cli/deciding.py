"""Asking the person at the terminal what only they can decide."""

from __future__ import annotations

from dataclasses import dataclass

from adapters.terminal.answer import Paper, render_decision
from bot.asking import READER
from bot.cli.console import Console
from core.domain.decisions import (
    Approval,
    Approved,
    Choice,
    Clarification,
    Clarified,
    Decision,
    DecisionAnswer,
)
from core.domain.view import MessageView

_NO = frozenset({"n", "no", "q", "quit", "exit"})
_LETTERS = {"a": Choice.APPROVE, "c": Choice.CHEAPER, "n": Choice.CANCEL}


@dataclass(frozen=True, slots=True, kw_only=True)
class AtTerminal:
    """`yes` approves without asking; without a person there, nothing else is decided."""

    console: Console
    interactive: bool
    yes: bool = False

    def __call__(self, decision: Decision) -> DecisionAnswer | None:
        if isinstance(decision, Approval) and self.yes:
            return _approved(decision, Choice.APPROVE)
        if not self.interactive:
            return None
        self.console.say(render_decision(decision, self._paper))
        match decision:
            case Clarification():
                return self._clarified(decision)
            case Approval():
                return self._chosen(decision)

    @property
    def _paper(self) -> Paper:
        return Paper(width=self.console.width, styled=self.console.is_styled)

    def _clarified(self, decision: Clarification) -> DecisionAnswer | None:
        words = self.console.ask("A number, or your own words (empty to leave it): ")
        if not words:
            return None
        number = int(words) if words.isascii() and words.isdigit() else 0
        meant = decision.options[number - 1] if 0 < number <= len(decision.options) else words
        return Clarified(decision=decision.id, actor=READER.id, text=meant)

    def _chosen(self, decision: Approval) -> DecisionAnswer | None:
        word = self.console.ask("[a]pprove, something [c]heaper, or [n]o: ").lower()
        choice = _LETTERS.get(word[:1])
        return _approved(decision, choice) if choice else None


def going_on(view: MessageView, console: Console) -> str:
    """Offer the steps that are left; return what to ask next, "" to leave it at that."""
    if view.answer is None or not view.answer.steps.ahead:
        return ""
    words = console.ask("Type yes to go on, or another question (empty to stop): ")
    return "" if words.casefold() in _NO else words


def _approved(decision: Approval, choice: Choice) -> DecisionAnswer:
    return Approved(decision=decision.id, actor=READER.id, choice=choice)
