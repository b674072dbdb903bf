"""Writes which function names the parser would translate, for the guard to keep them as written.

    python -m tests.kit.sql_verbatim

The parser knows many functions by a class of its own and writes them by another name of the same
dialect, which is not always the same function. core/sql/reading.py keeps the names listed here.
"""

from __future__ import annotations

import logging
import textwrap
from collections.abc import Iterator
from pathlib import Path

import sqlglot
from sqlglot.dialects.dialect import Dialect as Grammar
from sqlglot.errors import SqlglotError
from sqlglot.tokens import TokenType

from core.domain.query import Dialect
from core.sql.dialects.lists import functions_of

OUT = Path(__file__).parents[2] / "core" / "sql" / "dialects" / "verbatim.txt"
ARGUMENTS = (
    "", "a", "'x'", "a, b", "a, 1", "a, 'x'", "'x', a", "day, a", "a, day", "a, b, c", "a, 1, 2",
    "a, 'x', 'y'", "'x', a, 'y'", "'x', 'y', a", "day, a, b", "'day', a, b", "a, b, day",
    "a, b, c, d",
)  # fmt: skip

# Words of the grammar whose brackets hold more than arguments.
GRAMMAR = frozenset(
    """
    all and any array case cast columns convert current_date current_time current_timestamp date
    distinct exists explode extract flatten generate_date_array generate_timestamp_array generator
    grouping group_concat if in interval json_object json_table like like_escape list listagg
    map match max min
    not openjson or overlay percentile_cont percentile_disc position posexplode quantile row
    safe_cast string_agg struct substring time timestamp trim truncate try_cast unnest values
    datetime glob regexp rlike xor json any_value array_agg approx_quantile stack inline filter mod
    div ilike collate string boolean double float int substringIndexUTF8
    """.split()
)


def main() -> None:
    logging.disable()
    lines = ["# Written by tests/kit/sql_verbatim.py; do not edit."]
    for dialect in Dialect:
        lines += [f"[{dialect}]", textwrap.fill(" ".join(translated(dialect)), width=98)]
    OUT.write_text("\n".join(lines) + "\n")


def translated(dialect: Dialect) -> Iterator[str]:
    parsers = {name.lower() for name in Grammar.get_or_raise(dialect).parser_class.FUNCTION_PARSERS}
    for name in sorted(functions_of(dialect).names - GRAMMAR - parsers):
        if "." not in name and any(is_renamed(name, each, dialect) for each in ARGUMENTS):
            yield name


def is_renamed(name: str, arguments: str, dialect: Dialect) -> bool:
    """Say whether the parser writes a call with other words than it read."""
    text = f"SELECT {name}({arguments}) FROM t"
    try:
        rendered = sqlglot.parse_one(text, dialect=dialect).sql(dialect)
        if " as (" in rendered.lower():
            return False  # not taken for a call at all
        return words_of(text, dialect) != words_of(rendered, dialect)
    except (SqlglotError, ValueError, IndexError, AttributeError, TypeError, KeyError):
        return False


def words_of(text: str, dialect: Dialect) -> list[tuple[bool, str]]:
    tokens = Grammar.get_or_raise(dialect).tokenize(text)
    return [(each.token_type is TokenType.STRING, each.text.upper()) for each in tokens]


if __name__ == "__main__":
    main()
