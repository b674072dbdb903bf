"""Whether recursive common table expressions and CONNECT BY come to an end."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from core.domain.query import Dialect
from core.sql.growth import constant
from core.sql.verdict import Refused

MOST_STEPS = 1_000_000

# These recurse whether RECURSIVE is written or not.
RECURSE_UNASKED = frozenset({Dialect.TSQL, Dialect.ORACLE, Dialect.SQLITE, Dialect.SNOWFLAKE})

_UPPER = (exp.LT, exp.LTE, exp.Between)
_COMPARISONS = (exp.LT, exp.LTE, exp.GT, exp.GTE, exp.EQ, exp.NEQ, exp.Between, exp.In, exp.Like)
_TAKES_AWAY = (
    exp.Sub,
    exp.DateSub,
    exp.TimestampSub,
    exp.DatetimeSub,
    exp.Substring,
    exp.Right,
    exp.Left,
    exp.Div,
    exp.IntDiv,
    exp.Mod,
    exp.Replace,
    exp.RegexpReplace,
    exp.Stuff,
)


def check_recursion(cte: exp.CTE) -> None:
    """Refuse a recursive step that nothing ends.

    A step ends when it is joined to something, or when a condition on what it counts bounds it:
    from above by a number up to a million or by a value of the data, from below where the step
    takes something away.

    Raises:
        Refused
    """
    union = cte.this.unnest() if isinstance(cte.this, exp.Subquery) else cte.this
    if not isinstance(union, exp.SetOperation):
        return
    if _is_limited(union):
        return
    name = cte.alias.lower()
    for step in _arms(union):
        readings = [each for each in step.find_all(exp.Table) if each.name.lower() == name]
        if len(readings) > 1:
            raise _endless(cte.alias, "it reads itself more than once in one step")
        if readings and not _ends(step):
            raise _endless(cte.alias, "no condition of its recursive part ends it")


def begins_from_nothing(cte: exp.CTE) -> bool:
    """Say whether this looks recursive without the word: it begins with constants and goes on."""
    union = cte.this
    first = union.this if isinstance(union, exp.SetOperation) else None
    return isinstance(first, exp.Select | exp.Values) and first.args.get("from_") is None


def _is_limited(query: exp.Expr) -> bool:
    limit = query.args.get("limit")
    most = constant(limit.args.get("expression")) if isinstance(limit, exp.Limit) else None
    return most is not None and 0 <= most <= MOST_STEPS


def check_connect(connect: exp.Connect) -> None:
    """Refuse CONNECT BY without PRIOR and with a bound that is too large.

    Raises:
        Refused
    """
    condition = connect.args["connect"]
    large = [value for value in _constants(condition) if abs(value) > MOST_STEPS / 10]
    if large or not (condition.find(exp.Prior) or condition.find(*_UPPER)):
        raise Refused(
            "size.recursion",
            "This CONNECT BY makes too many rows or never ends. Connect by PRIOR, or bound LEVEL "
            "by at most 100,000.",
        )


def _endless(name: str, why: str) -> Refused:
    return Refused(
        "size.recursion",
        f"The recursive WITH {name} may never end: {why}. Add a condition such as "
        "WHERE n < 100, or join it to a table.",
    )


def _arms(union: exp.SetOperation) -> Iterator[exp.Select]:
    for side in (union.this, union.expression):
        query = side.unnest() if isinstance(side, exp.Subquery) else side
        if isinstance(query, exp.SetOperation):
            yield from _arms(query)
        elif isinstance(query, exp.Select):
            yield query


def _ends(step: exp.Select) -> bool:
    if _is_limited(step):
        return True
    conditions = [each.args["on"] for each in step.args.get("joins") or () if each.args.get("on")]
    if any(_links(each) for each in conditions) or any(_shares(step)):
        return True
    where = step.args.get("where")
    if where is not None:
        conditions.append(where.this)
    return any(_bounds(each, step) for each in conditions)


def _shares(step: exp.Select) -> Iterator[bool]:
    for join in step.args.get("joins") or ():
        yield bool(join.args.get("using")) or join.method == "NATURAL"


def _links(condition: exp.Expr) -> bool:
    """Say whether a condition compares columns of two relations."""
    for comparison in condition.find_all(*_COMPARISONS):
        tables = {column.table for column in comparison.find_all(exp.Column)}
        if len(tables) > 1:
            return True
    return False


def _bounds(condition: exp.Expr, step: exp.Select) -> bool:
    match condition:
        case exp.And():
            return _bounds(condition.left, step) or _bounds(condition.right, step)
        case exp.Or():
            return _bounds(condition.left, step) and _bounds(condition.right, step)
        case exp.Paren() | exp.Not():
            return _bounds(condition.this, step)
        case _:
            return any(_ends_it(each, step) for each in condition.find_all(*_COMPARISONS))


def _ends_it(comparison: exp.Expr, step: exp.Select) -> bool:
    left, right = comparison.this, comparison.args.get("expression")
    columns = _columns(left)
    if not columns and not _columns(right):
        return False
    if columns == _columns(right) or any(abs(v) > MOST_STEPS for v in _constants(comparison)):
        return False
    if _links(comparison) or isinstance(comparison, exp.EQ | exp.In | exp.Like):
        return True
    changed = [each.unalias() for each in step.expressions if not _is_plain(each.unalias())]
    less = [each for each in changed if each.find(*_TAKES_AWAY)]
    if isinstance(comparison, _UPPER) or _is_flipped(comparison):
        return len(less) < len(changed)
    return bool(less)


def _columns(node: object) -> set[str]:
    return (
        {each.sql() for each in node.find_all(exp.Column)} if isinstance(node, exp.Expr) else set()
    )


def _is_plain(projection: exp.Expr) -> bool:
    return isinstance(projection, exp.Column | exp.Literal | exp.Star | exp.Null | exp.Boolean)


def _is_flipped(comparison: exp.Expr) -> bool:
    """Say whether this is `100 > n`."""
    left = comparison.this
    return isinstance(comparison, exp.GT | exp.GTE) and not left.find(exp.Column)


def _constants(node: exp.Expr) -> Iterator[float]:
    waiting = [node]
    while waiting:
        each = waiting.pop()
        value = constant(each)
        if value is not None:
            yield value
        else:
            waiting.extend(each.iter_expressions())
