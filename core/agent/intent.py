"""Which families a question needs, how sure that is, and what is ambiguous in it."""

from __future__ import annotations

from dataclasses import dataclass

from core.toolkit.family import Family

FAMILIES = {family.value: family for family in Family}
UNSURE = 0.6  # what keywords alone are worth


@dataclass(frozen=True, slots=True, kw_only=True)
class Ambiguity:
    """One question that would change the figures, and two to five answers to it."""

    question: str
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """What kind of work a question asks for.

    `one_at_a_time`: the person wants to be led through several `steps`, as far as they were named.
    """

    primary: Family
    secondary: tuple[Family, ...] = ()
    tables: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    confidence: float = UNSURE
    is_complex: bool = False
    one_at_a_time: bool = False
    steps: tuple[str, ...] = ()
    ambiguities: tuple[Ambiguity, ...] = ()

    @property
    def families(self) -> tuple[Family, ...]:
        return tuple(dict.fromkeys((self.primary, *self.secondary)))
