"""Sums of distinct amounts, which take equal amounts for one."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from core.reviewer.ran import Ran
from core.reviewer.remark import Remark


def distinct_amounts(ran: Ran) -> Iterator[Remark]:
    """Find SUM(DISTINCT x)."""
    for total in ran.nodes(exp.Sum):
        if isinstance(total.this, exp.Distinct):
            yield Remark(
                f"{total.sql(dialect=ran.dialect)} takes rows of equal amounts for one row, so that"
                " amounts are lost: mend the join that repeats rows instead.",
                for_reader=True,
            )
