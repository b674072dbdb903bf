"""Totals over rows that a LIMIT chose without an order: some rows, whichever come first."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from core.reviewer.ran import Ran
from core.reviewer.remark import Remark


def rows_left_to_chance(ran: Ran) -> Iterator[Remark]:
    """Find aggregates over a subquery or WITH that is cut off in no order."""
    for select in ran.nodes(exp.Select):
        if not any(each.find(exp.AggFunc) for each in select.expressions):
            continue
        for source in ran.inner_selects(select):
            if source.args.get("limit") is not None and source.args.get("order") is None:
                yield Remark(
                    f"The figures are of {source.args['limit'].expression.sql()} rows alone, which"
                    " LIMIT took in no order: leave it out of the inner query.",
                    for_reader=True,
                )
                return
