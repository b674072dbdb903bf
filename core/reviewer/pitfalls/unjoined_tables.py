"""Tables set beside each other without a condition, so that every row meets every other."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from core.reviewer.ran import Ran
from core.reviewer.remark import Remark


def unjoined_tables(ran: Ran) -> Iterator[Remark]:
    """Find aggregates over stored tables that nothing connects."""
    for select in ran.nodes(exp.Select):
        if not any(each.find(exp.AggFunc) for each in select.expressions):
            continue
        first, *others = _names(select) or [""]
        if not others:
            continue
        apart = [name for name in others if name not in _connected(first, select)]
        if apart and _are_stored((first, *apart), select, ran):
            yield Remark(
                f"Nothing connects {apart[0]} with the other tables, so that every row is counted"
                " with each of its rows: join it by a key.",
                for_reader=True,
            )
            return


def _names(select: exp.Select) -> list[str]:
    from_ = select.args.get("from_")
    sources = [from_.this] if from_ is not None else []
    joins = select.args.get("joins") or ()
    if any(join.args.get("using") or join.method for join in joins):
        return []
    return [each.alias_or_name.casefold() for each in (*sources, *(join.this for join in joins))]


def _connected(first: str, select: exp.Select) -> set[str]:
    """Return the sources that conditions connect with the first, however many steps away."""
    clauses = [join.args.get("on") for join in select.args.get("joins") or ()]
    clauses.append(select.args.get("where"))
    conditions = [
        {column.table.casefold() for column in each.find_all(exp.Column)}
        for clause in clauses
        if clause is not None
        for each in clause.find_all(exp.Predicate)
    ]
    if any("" in each for each in conditions):
        return set(_names(select))  # a column without its table may be of any
    found = {first}
    while more := next((each for each in conditions if each & found and each - found), None):
        found |= more
    return found


def _are_stored(names: tuple[str, ...], select: exp.Select, ran: Ran) -> bool:
    sources = {name.casefold(): each for name, each in ran.sources(select).items()}
    return all(ran.table_of(sources.get(name)) is not None for name in names)
