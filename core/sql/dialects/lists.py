"""What each engine's SQL may call, read from the lists beside this file.

A list is text: `[functions]` may be called, `[tables]` may stand in FROM, and `[without]` takes
names out of the generated list of the same engine. `*.generated.txt` come from the engines' own
catalogues (tests/kit/sql_functions.py), the others from people.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sqlglot import exp

from core.domain.query import Dialect

_HERE = Path(__file__).parent
_LIKE = {Dialect.SPARK: Dialect.DATABRICKS}


@dataclass(frozen=True, slots=True)
class Functions:
    """Names in lower letters: what may be called, and what may stand in FROM."""

    names: frozenset[str]
    tables: frozenset[str]


@cache
def functions_of(dialect: Dialect) -> Functions:
    """Return what may be called in a dialect."""
    name = _LIKE.get(dialect, dialect)
    own = _sections(f"{name}.txt")
    generated = _HERE / f"{name}.generated.txt"
    pure = _sections(generated.name)["functions"] if generated.exists() else set[str]()
    tables = frozenset(own.get("tables", set()))
    standard = _sections("common.txt")["functions"]
    names = (pure - own.get("without", set())) | own["functions"] | standard | tables
    return Functions(names=frozenset(names), tables=tables)


@cache
def kept_as_written(dialect: Dialect) -> frozenset[str]:
    """Return the functions that the parser would write by another name."""
    return frozenset(_sections("verbatim.txt")[dialect])


@dataclass(frozen=True, slots=True)
class Words:
    """Words in lower letters that begin a command, or stand before a parenthesis as no call."""

    statements: frozenset[str]
    types: frozenset[str]
    before_parenthesis: frozenset[str]


@cache
def words() -> Words:
    sections = _sections("words.txt")
    return Words(
        statements=frozenset(sections["statements"]),
        types=frozenset(sections["types"]),
        before_parenthesis=frozenset(sections["syntax"] | sections["types"]),
    )


@cache
def known_nodes() -> frozenset[type[exp.Expr]]:
    """Return the classes of a parsed statement that are known to be harmless.

    Raises:
        AttributeError: the parser has no class of that name any more.
    """
    sections = _sections("nodes.txt")
    return frozenset(getattr(exp, name) for name in sections["nodes"] | sections["functions"])


def _sections(name: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    section = ""
    for line in (_HERE / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = line.strip("[]")
            found[section] = set()
        elif not line.startswith("#"):
            found[section].update(line.split())
    return found
