"""Quantiles for engines with and without a function for them; re-exported by the builder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from core.domain.query import Dialect, Query
from core.sql.fragments import fill

_NATIVE = {
    Dialect.POSTGRES: "PERCENTILE_CONT({q}) WITHIN GROUP (ORDER BY _x_)",
    Dialect.REDSHIFT: "PERCENTILE_CONT({q}) WITHIN GROUP (ORDER BY _x_)",
    Dialect.SNOWFLAKE: "PERCENTILE_CONT({q}) WITHIN GROUP (ORDER BY _x_)",
    Dialect.DUCKDB: "QUANTILE_CONT(_x_, {q})",
    Dialect.ORACLE: "PERCENTILE_CONT({q}) WITHIN GROUP (ORDER BY _x_)",
    Dialect.SPARK: "PERCENTILE(_x_, {q})",
    Dialect.DATABRICKS: "PERCENTILE(_x_, {q})",
    Dialect.CLICKHOUSE: "quantileExactInclusive({q})(_x_)",
}


def quantiles_query(
    source: exp.Table | exp.Subquery,
    measure: exp.Expr,
    quantiles: Mapping[str, float],
    dialect: Dialect,
    *,
    by: Mapping[str, exp.Expr] | None = None,
    where: exp.Expr | None = None,
) -> Query:
    """Select the `by` columns and one column a quantile (name -> 0 to 1), one row a group.

    Between two values it interpolates (as PERCENTILE_CONT and numpy's default do); NULLs do not
    count, and a group with nothing else has no row. Exact on every engine: those that have no such
    aggregate number the rows of each group instead. Groups come in the order of `by`.
    """
    groups = dict(by or {})
    kept = _and(exp.Is(this=measure.copy(), expression=exp.null()).not_(), where)
    rows = exp.select(
        *(each.copy().as_(name, quoted=True) for name, each in groups.items()),
        fill("_x_", dialect, x=measure).as_("_value", quoted=True),
    )
    rows = rows.from_(source.copy()).where(kept)
    names = [_name(name) for name in groups]
    outer = (
        _native(rows, quantiles, names, dialect)
        if dialect in _NATIVE
        else _ranked(rows, quantiles, names, dialect)
    )
    return Query(outer.group_by(*names).order_by(*names) if names else outer)


def _native(
    rows: exp.Select, quantiles: Mapping[str, float], names: Sequence[exp.Expr], dialect: Dialect
) -> exp.Select:
    value = _name("_value")
    columns = [
        fill(_NATIVE[dialect].format(q=repr(float(q))), dialect, x=value).as_(name, quoted=True)
        for name, q in quantiles.items()
    ]
    return exp.select(*(n.copy() for n in names), *columns).from_(rows.subquery("_rows"))


def _ranked(
    rows: exp.Select, quantiles: Mapping[str, float], names: Sequence[exp.Expr], dialect: Dialect
) -> exp.Select:
    value, place, size = _name("_value"), _name("_place"), _name("_size")
    partition = [each.copy() for each in names]
    numbered = exp.select(
        *(each.copy() for each in names),
        value,
        exp.Window(
            this=exp.RowNumber(),
            partition_by=partition,
            order=exp.Order(expressions=[value.copy()]),
        ).as_("_place", quoted=True),
        exp.Window(
            this=exp.Count(this=exp.Star()), partition_by=[each.copy() for each in names]
        ).as_("_size", quoted=True),
    ).from_(rows.subquery("_rows"))
    columns = [
        fill(_INTERPOLATED.format(q=repr(float(q))), dialect, v=value, k=place, n=size).as_(
            name, quoted=True
        )
        for name, q in quantiles.items()
    ]
    return exp.select(*(n.copy() for n in names), *columns).from_(numbered.subquery("_numbered"))


# The wanted place is 1 + q * (n - 1); a row counts by how near it is, and not at all from 1 on.
_INTERPOLATED = (
    "SUM(CASE WHEN ABS(1 + {q} * (_n_ - 1) - _k_) < 1 "
    "THEN _v_ * (1 - ABS(1 + {q} * (_n_ - 1) - _k_)) END)"
)


def _name(name: str) -> exp.Column:
    return exp.column(exp.to_identifier(name, quoted=True))


def _and(one: exp.Expr, other: exp.Expr | None) -> exp.Expr:
    return exp.and_(one, other.copy()) if other is not None else one
