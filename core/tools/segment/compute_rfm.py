"""Customers by how lately, how often and for how much they buy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from pydantic import Field
from sqlglot import exp

from core.domain.artifact import BarChart
from core.domain.errors import NotPossible
from core.domain.query import Dialect, Query
from core.domain.table import Column, ColumnKind, Row, Table, number
from core.sql.builder import (
    as_number,
    average,
    before,
    column_of,
    count_rows,
    date_literal,
    days_between,
    equals,
    largest,
    total,
)
from core.toolkit.args import ColumnName, Condition, TableName, ToolArgs
from core.toolkit.context import ToolContext
from core.toolkit.dates import Dated, dated_by
from core.toolkit.family import Family
from core.toolkit.measures import How, Measure, MeasureText, measure_of
from core.toolkit.sources import Picked, Source
from core.toolkit.tool import ToolResult, tool
from core.toolkit.wording import counted, percent, written

SCORES = 5
FEWEST_CUSTOMERS = 20
# In the order of the conditions in `_group`; the last is what fits none of them.
GROUPS = ("champions", "loyal", "new", "needs attention", "at risk", "lost")


class ComputeRfmArgs(ToolArgs):
    """Where purchases are, and what they are worth."""

    table: TableName
    customer: ColumnName = Field(description="Column that tells customers apart.")
    time_column: ColumnName = Field(description="Column that dates each purchase.")
    measure: MeasureText = Field(
        description="Money of a purchase: a column of numbers, or arithmetic such as"
        " quantity * price.",
    )
    as_of: date | None = Field(
        default=None,
        description="Day to look back from, today by default; later rows do not count.",
    )
    where: Condition = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RfmGroups(ToolResult):
    """One row a group of customers."""

    columns = (
        Column("group", ColumnKind.DIMENSION),
        Column("customers", ColumnKind.MEASURE, unit="customers"),
        Column("share", ColumnKind.MEASURE, unit="share"),
        Column("recency", ColumnKind.MEASURE, unit="days"),
        Column("frequency", ColumnKind.MEASURE, unit="rows"),
        Column("money", ColumnKind.MEASURE),
        Column("money_share", ColumnKind.MEASURE, unit="share"),
    )


@tool(family=Family.SEGMENT, artifact=BarChart(x="group", y="customers", horizontal=True))
async def compute_rfm(args: ComputeRfmArgs, ctx: ToolContext) -> RfmGroups:
    """Group customers by recency, frequency and money of what they bought.

    Use it to tell good, new and lapsing customers apart. Each customer is ranked into fifths by
    days since the last purchase (R), number of purchases (F) and money (M); 5 is best.

    Returns one row a group that has customers, best first:
        group: "champions" (R 4 or 5, F + M at least 8), "loyal" (R at least 3, F + M at least 6),
            "new" (R 4 or 5, less), "needs attention" (R 3, less), "at risk" (R 1 or 2, F + M at
            least 6), "lost" (R 1 or 2, less)
        customers: how many there are
        share: `customers` as a share of all, 0.12 is 12 %
        recency: average days since the last purchase
        frequency: average number of purchases
        money: sum of the measure over the group, in its own unit
        money_share: `money` as a share of the sum over all groups; None where that is not positive

    Raises:
        BadArguments: there is no such table or column, or a column does not fit its purpose.
        NotPossible: fewer than 20 customers have purchases.
    """
    source = Source.of(ctx.catalog, args.table)
    picked = source.column(args.customer)
    money = measure_of(source, args.measure, How.SUM)
    dated = await dated_by(source, args.time_column, ctx)
    as_of = args.as_of or ctx.today
    query = build_query(source, picked, dated, money, where=args.where, as_of=as_of)
    fetched = await ctx.fetch(query)
    rows = as_rows(fetched)
    customers = sum(int(number(row[1])) for row in rows)
    if customers < FEWEST_CUSTOMERS:
        raise NotPossible(
            f"Only {counted(customers, 'customer')} bought up to {as_of}; fifths of fewer than"
            f" {FEWEST_CUSTOMERS} say nothing."
        )
    return RfmGroups(
        finding=describe(rows, customers),
        table=Table(columns=RfmGroups.columns, rows=tuple(rows)),
        notes=(
            f"Days count up to {as_of}; rows without a {picked.name} or a date, and later ones, are"
            " left out.",
        ),
    )


def build_query(
    source: Source,
    customer: Picked,
    dated: Dated,
    money: Measure,
    *,
    where: str,
    as_of: date,
) -> Query:
    """Score and group in the warehouse: one row a group leaves it."""
    dialect = source.dialect
    bought = source.grouped(
        {"customer": customer.value},
        {
            "last": largest(dated.value),
            "frequency": count_rows(),
            "money": exp.Coalesce(this=money.figure(dialect), expressions=[exp.Literal.number(0)]),
        },
        [
            equals(customer.value, None, dialect).not_(),
            before(dated.value, as_of + timedelta(days=1), dialect),
            source.condition(where),
        ],
    )
    days = days_between(column_of("last"), date_literal(as_of, dialect), dialect)
    measured = exp.select(
        column_of("customer"),
        days.as_("recency", quoted=True),
        column_of("frequency"),
        column_of("money"),
    ).from_(bought.subquery("bought"))
    scored = exp.select(
        *map(column_of, ("recency", "frequency", "money")),
        _fifth("recency", best_is_least=True).as_("r", quoted=True),
        exp.Add(this=_fifth("frequency"), expression=_fifth("money")).as_("fm", quoted=True),
    ).from_(measured.subquery("measured"))
    grouped = exp.select(
        *map(column_of, ("recency", "frequency", "money")), _group().as_("group", quoted=True)
    ).from_(scored.subquery("scored"))
    return Query(_summed(grouped, dialect))


def _fifth(name: str, *, best_is_least: bool = False) -> exp.Expr:
    """Rank into fifths, 5 best; equal customers are told apart by their own order."""
    ordered = column_of(name).desc() if best_is_least else column_of(name).asc()
    return exp.Window(
        this=exp.func("NTILE", exp.Literal.number(SCORES)),
        order=exp.Order(expressions=[ordered, column_of("customer").asc()]),
    )


def _group() -> exp.Expr:
    def at_least(name: str, score: int) -> exp.Expr:
        return exp.GTE(this=column_of(name), expression=exp.Literal.number(score))

    holds = (
        exp.and_(at_least("r", 4), at_least("fm", 8)),
        exp.and_(at_least("r", 3), at_least("fm", 6)),
        at_least("r", 4),
        at_least("r", 3),
        at_least("fm", 6),
    )
    case = exp.case()
    for at, each in enumerate(holds):
        case = case.when(each, exp.Literal.number(at))
    return case.else_(exp.Literal.number(len(holds)))


def _summed(grouped: exp.Select, dialect: Dialect) -> exp.Select:
    group = column_of("group")
    return (
        exp.select(
            group,
            count_rows().as_("customers", quoted=True),
            average(column_of("recency"), dialect).as_("recency", quoted=True),
            average(column_of("frequency"), dialect).as_("frequency", quoted=True),
            total(as_number(column_of("money"), dialect)).as_("money", quoted=True),
        )
        .from_(grouped.subquery("grouped"))
        .group_by(group.copy())
        .order_by(group.asc())
    )


def as_rows(fetched: Table) -> Sequence[Row]:
    customers = sum(number(count) for count in fetched.values("customers"))
    whole = sum(number(money) for money in fetched.values("money"))
    return [
        (
            GROUPS[int(number(group))],
            count,
            number(count) / customers,
            recency,
            frequency,
            money,
            number(money) / whole if whole > 0 else None,
        )
        for group, count, recency, frequency, money in fetched.rows
    ]


def describe(rows: Sequence[Row], customers: int) -> str:
    name, count, share, *_, money, money_share = rows[0]
    worth = f" and {percent(number(money_share))} of the money" if money_share is not None else ""
    lost = sum(number(row[1]) for row in rows if row[0] in {"at risk", "lost"})
    return (
        f"Of {counted(customers, 'customer')}, {written(number(count))} are {name!s}"
        f" ({percent(number(share))}{worth}: {written(number(money))}); {written(lost)} are at risk"
        " or lost."
    )
