"""Pieces of SQL written in an engine's own words, with holes for other pieces.

A template is parsed once in the dialect that it is written for, so what is rendered from it in
that dialect is what stands here. Holes are column names of the form `_name_`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import sqlglot
from sqlglot import exp

from core.domain.query import Dialect


def fill(template: str, dialect: Dialect, **parts: exp.Expr) -> exp.Expr:
    """Return the template as a tree of its own, each hole `_name_` filled with `parts[name]`.

    A part that is more than a name or a call is put in parentheses.
    """
    tree = _parsed(template, dialect).copy()
    holes = [each for each in tree.find_all(exp.Column) if _hole(each) in parts]
    for hole in holes:
        part = _closed(parts[_hole(hole)])
        if hole is tree:
            return part
        hole.replace(part)
    return tree


def chosen(by_dialect: Mapping[Dialect, str], dialect: Dialect, *, otherwise: str) -> str:
    """Return an engine's own spelling where it has one, else the common one."""
    return by_dialect.get(dialect, otherwise)


@lru_cache(maxsize=2_000)
def _parsed(template: str, dialect: Dialect) -> exp.Expr:
    return sqlglot.parse_one(template, dialect=dialect)


def _hole(column: exp.Column) -> str:
    name = column.name
    return name[1:-1] if name.startswith("_") and name.endswith("_") else ""


def _closed(part: exp.Expr) -> exp.Expr:
    own = part.copy()
    return exp.Paren(this=own) if isinstance(own, exp.Binary | exp.Unary | exp.Between) else own
