"""Joins that repeat the rows of a table whose measure is then added up."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from core.reviewer.fan_out import counted_joins, fan_outs
from core.reviewer.ran import Ran
from core.reviewer.remark import Remark


def repeated_rows(ran: Ran) -> Iterator[Remark]:
    """Find sums and averages that count rows more than once, going by declared keys."""
    if next(ran.nodes(exp.Join), None) is None:
        return
    for each in fan_outs(ran.tree, ran.catalog):
        yield Remark(
            f"{each.total} may count rows of {each.counted} more than once, because the join"
            f" with {each.repeated_by} repeats them.",
            for_reader=True,
        )
    for each in counted_joins(ran.tree, ran.catalog):
        yield Remark(
            f"{each.total} counts the rows of the join, not those of {each.counted}, which the join"
            f" with {each.repeated_by} repeats: count its key with DISTINCT.",
            for_reader=True,
        )
