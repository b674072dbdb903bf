"""The tables and columns that a question can be about, as the schema tool showed them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from adapters.models.offline.world.names import UNITS, plain_words, words_of
from core.domain.definitions import Metric

_NUMERIC_TYPE = re.compile(
    r"int|real|floa|doub|num|dec|money|serial|bit$|fixed|number", re.IGNORECASE
)
_TIME_TYPE = re.compile(r"date|time", re.IGNORECASE)
_BOOLEAN_TYPE = re.compile(r"bool|^bit$|tinyint\(1\)", re.IGNORECASE)
_ISO_DATE = re.compile(r"\d{4}-\d{2}(-\d{2}([ T]\d{2}:\d{2}.*)?)?$")
_TARGET = re.compile(r"->\s*(?P<table>.+)\.(?P<column>[^.]+)$")
_TRUTHS = frozenset({"0", "1", "yes", "no", "y", "n", "true", "false", "t", "f"})
# Names such as held_on, viewedAt; and comments that say that the text does not sort by date.
_WHEN = re.compile(r"(ed|en|eld|old|ent|id)(_on|_at|On|At)$")
_OTHER_DATE = re.compile(r"\b(DD|MM)[-/.](MM|DD)\b|\bd/m|\bm/d", re.IGNORECASE)
_TIME_WORDS = frozenset({"date", "time", "timestamp", "datetime"})


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """`words` are the name's own; `bare` are they without the table's words and without units.

    A `metric` is a figure of many rows that was defined, a `condition` a state of a row; neither is
    a column of the database.

    `values` are all distinct values of a column with few of them, else empty. A column with a
    `formula` is computed from others of its table: quantity, price, and a discount if there is one.
    """

    table: str
    name: str
    type: str
    kind: str
    words: tuple[str, ...]
    bare: tuple[str, ...]
    values: tuple[str, ...] = ()
    comment: str = ""
    primary: bool = False
    target: tuple[str, str] | None = None
    nullable: bool = True
    formula: tuple[str, ...] = ()
    metric: Metric | None = None
    condition: str = ""

    @property
    def label(self) -> str:
        return " ".join(self.words)

    @property
    def is_defined(self) -> bool:
        """Say whether the data team made it up, so that no column of the database has its name."""
        return self.metric is not None or self.condition != ""

    @property
    def is_key(self) -> bool:
        return self.primary or self.target is not None or self.words[-1] == "id"

    @property
    def is_number(self) -> bool:
        return bool(_NUMERIC_TYPE.search(self.type)) and not self.is_time

    @property
    def is_boolean(self) -> bool:
        if _BOOLEAN_TYPE.search(self.type):
            return True
        asks = re.match(r"(is|has|was|can)_", self.name, re.IGNORECASE) is not None
        return asks and {value.lower() for value in self.values} <= _TRUTHS

    @property
    def is_time(self) -> bool:
        """Say whether it holds dates, as a type of its own or as text that sorts like them."""
        if _TIME_TYPE.search(self.type):
            return True
        if _NUMERIC_TYPE.search(self.type):
            return False
        if self.values:
            return all(_ISO_DATE.match(value) for value in self.values)
        if self.kind == "time" or _TIME_WORDS & set(self.words):
            return True
        return bool(_WHEN.search(self.name)) and not _OTHER_DATE.search(self.comment)

    @property
    def has_hours(self) -> bool:
        """Say whether its dates have a time of day."""
        return self.is_time and "time" in self.type.lower()

    @property
    def is_text_type(self) -> bool:
        """Say whether its values are kept as text, be they dates or not."""
        return not (_TIME_TYPE.search(self.type) or _NUMERIC_TYPE.search(self.type))

    @property
    def is_text(self) -> bool:
        return not self.is_number and not self.is_time and not self.is_boolean

    @property
    def is_year(self) -> bool:
        if self.is_time:
            return False
        since = self.is_number and self.words[-1] in {"founded", "established", "built", "born"}
        return "year" in self.words or since

    @property
    def is_measure(self) -> bool:
        if self.metric is not None:
            return True
        return self.is_number and not self.is_key and not self.is_boolean and not self.is_code

    @property
    def is_code(self) -> bool:
        """Say whether its numbers name something instead of counting it."""
        return bool({"code", "zip", "phone", "number", "year"} & set(self.words[-1:]))


@dataclass(frozen=True, eq=False)
class Table:
    """`name` is as queries write it, with its schema where it is not the default one."""

    name: str
    words: tuple[str, ...]
    columns: tuple[Column, ...]

    @property
    def label(self) -> str:
        return " ".join(self.words)

    @property
    def rows(self) -> str:
        """Return what its rows are called: its name as words."""
        return self.name.rsplit(".", 1)[-1].replace("_", " ").lower()

    @cached_property
    def key(self) -> tuple[Column, ...]:
        """Return what tells rows apart: the primary key, else a column that looks like one."""
        declared = tuple(column for column in self.columns if column.primary)
        if declared:
            return declared
        likely = (("id",), (*self.words, "id"), (self.words[0], "id"))
        found = [c for words in likely for c in self.columns if c.words == words]
        return tuple(found[:1]) or self._first_id()

    def _first_id(self) -> tuple[Column, ...]:
        """Return the first column if it is the id of this table and not one of another's."""
        ids = [column for column in self.columns if column.words[-1] == "id"]
        first = self.columns[:1]
        if not first or first[0] not in ids or first[0].target is not None:
            return ()
        own = len(ids) == 1 or first[0].words[0][0] == self.words[0][0]
        return first if own and len(ids) < len(self.columns) else ()

    @cached_property
    def is_link(self) -> bool:
        """Say whether it does little more than join two others."""
        pointing = [column for column in self.columns if column.target is not None]
        return len(pointing) >= 2 and len(self.columns) - len(pointing) <= 1

    def column(self, name: str) -> Column | None:
        folded = name.casefold()
        exact = next((column for column in self.columns if column.name == name), None)
        return exact or next((c for c in self.columns if c.name.casefold() == folded), None)


@dataclass(frozen=True, eq=False)
class Schema:
    """Tables in the order of their names; `complete` unless some could not be shown."""

    tables: tuple[Table, ...]
    complete: bool = True
    by_name: dict[str, Table] = field(default_factory=dict[str, Table])

    def table(self, name: str) -> Table | None:
        return self.by_name.get(name) or self.by_name.get(name.casefold())


def schema_of(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> Schema:
    """Read the rows of the schema tool; rows without a table or a column are passed over."""
    records = [dict(zip(columns, row, strict=False)) for row in rows]
    named = [each for each in records if _text(each, "table") and _text(each, "column")]
    names = [_text(each, key) for each in named for key in ("table", "column")]
    vocabulary = plain_words(names)
    grouped: dict[str, list[dict[str, object]]] = {}
    for record in named:
        grouped.setdefault(_text(record, "table"), []).append(record)
    tables = tuple(_table(name, each, vocabulary) for name, each in grouped.items())
    by_name = {table.name.casefold(): table for table in tables}
    by_name |= {table.name: table for table in tables}
    return Schema(tables=tables, by_name=by_name)


def _table(name: str, records: Sequence[dict[str, object]], vocabulary: frozenset[str]) -> Table:
    words = words_of(name.rsplit(".", 1)[-1], vocabulary)
    return Table(
        name=name,
        words=words,
        columns=tuple(_column(name, words, record, vocabulary) for record in records),
    )


def _column(
    table: str, table_words: tuple[str, ...], record: dict[str, object], vocabulary: frozenset[str]
) -> Column:
    name, key = _text(record, "column"), _text(record, "key")
    words = words_of(name, vocabulary)
    target = _TARGET.search(key)
    values = _text(record, "values")
    return Column(
        table=table,
        name=name,
        type=_text(record, "type"),
        kind=_text(record, "kind"),
        words=words,
        bare=_bare(words, table_words),
        values=tuple(values.split(" | ")) if values else (),
        comment=_text(record, "comment"),
        primary=key.startswith("primary"),
        target=(target["table"].strip(), target["column"]) if target else None,
        nullable=record.get("nullable") is not False,
    )


def _bare(words: tuple[str, ...], table_words: tuple[str, ...]) -> tuple[str, ...]:
    """Leave out the table's own words and the unit, as long as something stays."""
    own = {word for word in words if any(_is_short_for(word, each) for each in table_words)}
    rest = tuple(word for word in words if word not in own) or words
    return tuple(word for word in rest if word not in UNITS) or rest


def _is_short_for(word: str, table_word: str) -> bool:
    return word == table_word or (len(word) >= 3 and table_word.startswith(word))


def _text(record: dict[str, object], key: str) -> str:
    value = record.get(key)
    return "" if value is None else str(value)
