"""Amounts added up over UNION, which keeps one of the rows that are equal."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from core.reviewer.ran import Ran
from core.reviewer.remark import Remark
from core.toolkit.column_kinds import is_named_as_id


def union_of_amounts(ran: Ran) -> Iterator[Remark]:
    """Find sums and averages over UNION without ALL, where no column tells rows apart."""
    for select in ran.nodes(exp.Select):
        if not any(each.find(exp.Sum, exp.Avg) for each in select.expressions):
            continue
        for source in ran.inner_queries(select):
            if not isinstance(source, exp.Union) or not source.args.get("distinct"):
                continue
            if not any(map(is_named_as_id, source.named_selects)):
                yield Remark(
                    "UNION keeps only one of several equal rows, so that equal amounts are added"
                    " up once: use UNION ALL.",
                    for_reader=True,
                )
                return
