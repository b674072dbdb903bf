"""What a command answers, as any platform can show it; the texts are plain."""

from __future__ import annotations

from dataclasses import dataclass

from core.domain.connection_draft import ConnectionDraft


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One line of a list: what it is called, and what there is to say about it."""

    title: str
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Lines that belong together."""

    title: str
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A sentence or two."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A sentence, and lists below it."""

    text: str
    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirm:
    """Nothing was done yet: `command`, given again as it stands here, does it."""

    text: str
    label: str
    command: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FormWanted:
    """A form has to be filled in, which begins with what is known."""

    draft: ConnectionDraft


Reply = Said | Listed | Confirm | FormWanted


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """How far something has come that goes on for a while; each replaces the one before.

    warnings: what to be careful with
    statements: SQL that would mend it
    attempt: by its id, what can be changed and tried again; "" where nothing can
    """

    text: str
    warnings: tuple[str, ...] = ()
    statements: str = ""
    attempt: str = ""
