"""Writes which function names the parser would translate, for the guard to keep them as written.

    python -m tools.sql_verbatim

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

from core.domain.query import Dialect
from core.sql.dialects.lists import functions_of

OUT = Path(__file__).parent.parent / "core" / "sql" / "dialects" / "verbatim.txt"
ARGUMENTS = ("", "a", "a, b", "a, 1", "a, 'x'", "a, b, c", "a, 1, 2", "a, 'x', 'y'", "a, b, c, d")

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
    lines = ["# Written by tools/sql_verbatim.py; do not edit."]
    for dialect in Dialect:
        lines += [f"[{dialect}]", textwrap.fill(" ".join(translated(dialect)), width=98)]
    OUT.write_text("\n".join(lines) + "\n")


def translated(dialect: Dialect) -> Iterator[str]:
    parsers = {name.lower() for name in Grammar.get_or_raise(dialect).parser_class.FUNCTION_PARSERS}
    for name in sorted(functions_of(dialect).names - GRAMMAR - parsers):
        if "." not in name and any(is_renamed(name, each, dialect) for each in ARGUMENTS):
            yield name


def is_renamed(name: str, arguments: str, dialect: Dialect) -> bool:
    text = f"SELECT {name}({arguments}) FROM t"
    try:
        rendered = sqlglot.parse_one(text, dialect=dialect).sql(dialect)
    except (SqlglotError, ValueError, IndexError, AttributeError, TypeError, KeyError):
        return False
    return f" {name}(" not in rendered.lower() and " as (" not in rendered.lower()


if __name__ == "__main__":
    main()
