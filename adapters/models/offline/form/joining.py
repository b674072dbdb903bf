"""The tables of a query, joined or looked up apart so that no row is counted twice."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from adapters.models.offline.form.conditions import Part
from adapters.models.offline.form.frame import Frame, NotUnderstood
from adapters.models.offline.form.sqltext import all_of, column_of, number
from adapters.models.offline.world.joins import Join

_OPERATORS: dict[str, type[exp.Binary]] = {
    "=": exp.EQ, ">": exp.GT, ">=": exp.GTE, "<": exp.LT, "<=": exp.LTE, "!=": exp.NEQ,
}  # fmt: skip


def joined(select: exp.Select, frame: Frame) -> exp.Select:
    """Add the tables of the core and the joins between them."""
    base = frame.table(frame.core[0])
    select = select.from_(frame.source(base))
    for join in frame.connections():
        on = equal(join)
        select = select.join(frame.source(frame.table(join.right.table)), on=on)
    return select


def equal(join: Join) -> exp.Expr:
    return exp.EQ(this=column_of(join.left), expression=column_of(join.right))


def placed(parts: Sequence[Part], frame: Frame) -> list[exp.Expr]:
    """Write conditions on rows; those on the same related rows are looked up together."""
    found: list[exp.Expr] = []
    together: dict[int, list[Part]] = {}
    for part in _telling(parts, frame):
        if _is_direct(part, frame):
            if part.negated and part.sql == exp.true():
                raise NotUnderstood("rows that are shown cannot be missing")
            frame.add_core(_needed(part, frame))
            if part.sql != exp.true():
                found.append(exp.Not(this=exp.Paren(this=part.sql)) if part.negated else part.sql)
        elif part.apart or part.any_of or part.count:
            found.append(_apart(part, frame))
        else:
            together.setdefault(id(_first_join(part, frame)), []).append(part)
    found.extend(exists(group, frame) for group in together.values())
    return found


def _telling(parts: Sequence[Part], frame: Frame) -> list[Part]:
    """Leave out that rows of a table exist, where another condition says so already."""
    told = set(frame.core)
    for part in parts:
        if part.sql != exp.true() and not part.negated and part.count is None and not part.any_of:
            told.update(part.tables)
            told.update(_needed(part, frame))
    return [
        part
        for part in parts
        if part.sql != exp.true()
        or part.negated
        or part.count
        or not (set(part.tables) <= told or (part.by_verb and _is_far(part, frame)))
    ]


def _is_far(part: Part, frame: Frame) -> bool:
    """Say whether rows of a table hang together with those shown only over others."""
    ways = [frame.joins.path(frame.core, table) for table in part.tables]
    return all(way is None or len(way) > 1 for way in ways)


def _is_direct(part: Part, frame: Frame) -> bool:
    """Say whether the condition can stand in the query itself without making more rows."""
    if part.count is not None:
        return False
    if part.apart and not set(part.tables) <= set(frame.core):
        return False
    return all(_is_single(table, frame) for table in part.tables)


def _is_single(table: str, frame: Frame) -> bool:
    if table in frame.core or table in {join.right.table for join in frame.connections()}:
        return True
    way = frame.joins.path(frame.core, table)
    return way is not None and all(join.to_one for join in way)


def _needed(part: Part, frame: Frame) -> list[str]:
    """Return the tables on the way to those of the condition."""
    found: list[str] = []
    for table in part.tables:
        way = frame.joins.path(frame.core, table) or ()
        found.extend(join.right.table for join in way)
    return found


def _apart(part: Part, frame: Frame) -> exp.Expr:
    if part.any_of:
        either = exp.Paren(
            this=exp.or_(
                *(expression for each in part.any_of for expression in placed([each], frame))
            )
        )
        return exp.Not(this=either) if part.negated else either
    if part.count is not None:
        op, wanted = part.count
        return _OPERATORS[op](this=counted(part, frame), expression=number(wanted))
    found = exists([part], frame)
    return exp.Not(this=found) if part.negated else found


def _first_join(part: Part, frame: Frame) -> Join:
    for table in part.tables:
        way = frame.joins.path(frame.core, table)
        if way:
            return way[0]
    raise NotUnderstood(f"{part.tables} cannot be reached")


def exists(parts: Sequence[Part], frame: Frame) -> exp.Expr:
    """Say that there are related rows which fulfil all the conditions."""
    return exp.Exists(this=_related_rows(exp.select("1"), parts, frame))


def counted(part: Part, frame: Frame) -> exp.Expr:
    return exp.Subquery(this=_related_rows(exp.select(exp.Count(this=exp.Star())), [part], frame))


def _related_rows(select: exp.Select, parts: Sequence[Part], frame: Frame) -> exp.Select:
    """Select from the tables of the conditions, bound to the row of the core."""
    source = _sources(parts, frame)
    bound: list[exp.Expr] = []
    inner: list[str] = []
    for table in dict.fromkeys(table for part in parts for table in part.tables):
        way = frame.joins.path((*inner, *source), table)
        if way is None:
            raise NotUnderstood(f"{table} cannot be reached")
        for join in way:
            target = frame.source(frame.table(join.right.table))
            if join.left.table not in inner:
                bound.append(equal(join))
                select = select.join(target, join_type="cross") if inner else select.from_(target)
            else:
                select = select.join(target, on=equal(join))
            inner.append(join.right.table)
    conditions = [part.sql for part in parts if part.sql != exp.true()]
    return select.where(all_of([*bound, *conditions]))


def _sources(parts: Sequence[Part], frame: Frame) -> tuple[str, ...]:
    """Return the tables that related rows are bound to; for rows apart, the subject's alone."""
    inside = {table for part in parts for table in part.tables} & set(frame.core)
    if inside:
        rest = tuple(table for table in frame.core if table not in inside)
        subject = frame.subject()
        if subject is not None and subject.name in rest:
            return (subject.name,)
        return rest or tuple(frame.core)
    return tuple(frame.core)
