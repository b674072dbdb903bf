"""What columns are good for: what a row is called, when it happened, what it is worth."""

from __future__ import annotations

from collections.abc import Sequence

from adapters.models.offline.reading.lemmas import stem
from adapters.models.offline.reading.word_lists import words_in
from adapters.models.offline.world.schema import Column, Table

_MONEY = (
    "revenue", "sale", "amount", "total", "spent", "spend", "paid", "payment", "price", "value",
    "income", "earning", "turnover", "profit", "cost", "fee", "budget", "salary", "balance",
)  # fmt: skip
_PRODUCTS = frozenset(["revenue", "amount", "total", "sale", "value", "turnover", "subtotal"])
_RECORDED = frozenset(
    ["created", "updated", "modified", "inserted", "loaded", "synced", "timestamp", "due", "expiry"]
)

# What is asked for by these words is a sum, where nothing else is said.
ADDED_UP = frozenset(["revenue", "turnover", "sales", "income", "spending", "spend", "earnings"])
_CALLED = frozenset(
    ["nickname", "username", "login", "handle", "badge", "plate", "code", "symbol", "sku", "isbn"]
)
_FIRST_NAMES = {("first", "name"), ("given", "name"), ("forename",)}
_LAST_NAMES = {("last", "name"), ("family", "name"), ("surname",)}


def name_columns(table: Table) -> tuple[Column, ...]:
    """Return what a row is called by: its name or title, else first and last name; or nothing."""
    for bare in (("name",), ("title",)):
        found = [column for column in table.columns if column.bare == bare and not column.is_key]
        if found:
            return (found[0],)
    same = [c for c in table.columns if c.words == table.words and c.is_text]
    if same:
        return (same[0],)
    parts = person_name(table)
    if parts is not None:
        return parts
    ending = [
        column
        for column in table.columns
        if column.is_text and column.target is None and column.words[-1] in {"name", "title"}
    ]
    own = [column for column in ending if set(column.words) & set(table.words)]
    return tuple((own or ending)[:1])


def person_name(table: Table) -> tuple[Column, Column] | None:
    """Return the columns of the first and of the last name, where both are apart."""
    first = next((c for c in table.columns if c.bare in _FIRST_NAMES), None)
    last = next((c for c in table.columns if c.bare in _LAST_NAMES), None)
    return (first, last) if first is not None and last is not None else None


def display_columns(table: Table) -> tuple[Column, ...]:
    """Return what stands for a row in an answer: its name, else its key, else its first column."""
    named = name_columns(table)
    if named:
        return named
    described = [c for c in table.columns if c.bare in {("description",), ("label",)}]
    described += [
        c for c in table.columns if c.is_text and not c.is_key and _CALLED & set(c.words[-1:])
    ]
    return tuple(described[:1]) or table.key[:1] or table.columns[:1]


def date_columns(table: Table) -> tuple[Column, ...]:
    """Return the dates of a table, the one that says when its rows happened first."""
    found = [column for column in table.columns if column.is_time]
    return tuple(sorted(found, key=lambda column: _date_rank(column, table)))


def _date_rank(column: Column, table: Table) -> tuple[bool, bool, bool, int]:
    own, texts = is_own_date(column, table), column.is_text_type
    return (is_recorded(column), texts, not own, table.columns.index(column))


def is_own_date(column: Column, table: Table) -> bool:
    """Say whether a date bears the name of its table, or no name at all."""
    own = any(
        stem(word) == stem(other) or word.startswith(other)
        for word in column.words
        for other in table.words
    )
    return own or column.bare in {("date",), ("day",), ("at",)}


def rival_dates(column: Column, table: Table) -> tuple[Column, ...]:
    """Return the dates that say as well as this one when rows of its table happened, it first.

    A day on which something ended is no rival of another, and none has a rival.
    """
    if not column.is_time or _ends(column):
        return (column,)
    same = [
        other
        for other in date_columns(table)
        if other is not column
        and not _ends(other)
        and _date_rank(other, table)[:-1] == _date_rank(column, table)[:-1]
    ]
    return (column, *same)


def _ends(column: Column) -> bool:
    return bool(set(column.words) & words_in("endings"))


def is_recorded(column: Column) -> bool:
    """Say whether a date tells when a row was written or is due, not when it happened."""
    return bool(set(column.words) & _RECORDED)


def year_column(table: Table) -> Column | None:
    return next((column for column in table.columns if column.is_year), None)


def month_column(table: Table) -> Column | None:
    found = (c for c in table.columns if c.words[-1] == "month" and not c.is_time)
    return next(found, None)


def hour_column(table: Table) -> Column | None:
    """Return the column that holds the hour of the day as a number."""
    return next((c for c in table.columns if c.bare == ("hour",) and c.is_number), None)


def weekday_column(table: Table) -> Column | None:
    names = {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}
    return next(
        (c for c in table.columns if c.values and {v.lower() for v in c.values} <= names), None
    )


def worth_of(table: Table) -> Column | None:
    """Return quantity times price, less the discount, where no column holds the product."""
    measures = [column for column in table.columns if column.is_measure]
    quantity = next((c for c in measures if {"quantity", "unit"} & set(c.words[:1])), None)
    quantity = quantity if quantity is not None and "price" not in quantity.words else None
    price = next((c for c in measures if "price" in c.words and "list" not in c.words), None)
    held = any(set(c.words) & _PRODUCTS for c in measures if c is not price)
    if quantity is None or price is None or held:
        return None
    discount = next((c for c in measures if c.bare == ("discount",)), None)
    parts = (quantity, price, discount) if discount is not None else (quantity, price)
    words = ("revenue",)
    return Column(
        table=table.name,
        name="revenue",
        type="decimal",
        kind="measure",
        words=words,
        bare=words,
        formula=tuple(part.name for part in parts),
    )


def money_columns(table: Table) -> tuple[Column, ...]:
    """Return the columns of money, the likeliest to be asked for first."""
    worth = worth_of(table)
    return (*((worth,) if worth is not None else ()), *_held_money(table))


def _held_money(table: Table) -> tuple[Column, ...]:
    found = [(rank, c) for c in table.columns if (rank := money_rank(c)) is not None]
    return tuple(column for _, column in sorted(found, key=lambda each: each[0]))


def money_rank(column: Column) -> int | None:
    if not column.is_measure or "id" in column.words:
        return None
    ranks = [_MONEY.index(word) for word in column.words if word in _MONEY]
    return min(ranks) if ranks else None


def count_column(table: Table) -> Column | None:
    """Return a column that says how many each row stands for, such as `count`."""
    found = (c for c in table.columns if c.is_measure and c.bare in {("count",), ("quantity",)})
    column = next(found, None)
    return column if column is not None and column.bare == ("count",) else None


_PARTS = frozenset({"share", "percentage", "percent", "fraction", "ratio", "proportion"})
_FIRST_WORDS = 3  # of a comment, which say what the column is


def is_mean(column: Column) -> bool:
    """Say whether figures of a column are averaged rather than added up."""
    means = {"rating", "score", "rate", "grade", "price", "age", "percent", "height", "weight",
             "temperature", "star", "gpa", "rank", "latitude", "longitude"}  # fmt: skip
    words = set(column.words)
    return bool(words & means) or words >= {"unit", "cost"} or is_part(column)


def is_part(column: Column) -> bool:
    """Say whether the comment calls a column a share of something: such parts do not add up."""
    begins = column.comment.lower().replace(":", " ").replace(",", " ").split()[:_FIRST_WORDS]
    return bool(_PARTS & set(begins))


def is_averaged(column: Column, words: str) -> bool:
    """Say whether figures are averaged that were asked for in these words: revenue adds up."""
    return is_mean(column) and not ADDED_UP & set(words.lower().split())


def first_named(columns: Sequence[Column], words: frozenset[str]) -> Column | None:
    return next((column for column in columns if words & set(column.words)), None)
