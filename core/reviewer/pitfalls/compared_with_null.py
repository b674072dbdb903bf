"""Comparisons with NULL, which hold for no row at all."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from core.reviewer.ran import Ran
from core.reviewer.remark import Remark


def compared_with_null(ran: Ran) -> Iterator[Remark]:
    """Find = NULL and <> NULL, where IS NULL and IS NOT NULL are meant."""
    for compared in ran.nodes(exp.EQ, exp.NEQ):
        if isinstance(compared.right, exp.Null) or isinstance(compared.left, exp.Null):
            yield Remark(
                f"{compared.sql(dialect=ran.dialect)} holds for no row, whatever its value:"
                " use IS NULL or IS NOT NULL.",
                for_reader=True,
            )
