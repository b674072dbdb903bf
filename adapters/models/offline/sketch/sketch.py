"""What a question asks for, before it is decided which columns its words name."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field
from enum import StrEnum

from adapters.models.offline.reading.periods import Grain, Period
from adapters.models.offline.world.lexicon import Meaning
from adapters.models.offline.world.values import Found


class Aggregate(StrEnum):
    """How many rows become one figure."""

    COUNT = "count"
    SUM = "sum"
    AVG = "avg"
    MIN = "min"
    MAX = "max"
    MEDIAN = "median"


@dataclass(frozen=True, slots=True, eq=False)
class Mention:
    """Words that name a table or a column.

    `near` is the table word that they belong to by grammar ("names of singers"), `context` the
    last one before them. `soft` mentions were only implied.
    """

    text: str
    at: int
    meanings: tuple[Meaning, ...]
    near: Mention | None = None
    context: Mention | None = None
    soft: bool = False

    @property
    def best(self) -> float:
        return self.meanings[0].score if self.meanings else 0.0

    @property
    def table_score(self) -> float:
        return max((m.score for m in self.meanings if m.column is None), default=0.0)

    @property
    def column_score(self) -> float:
        return max((m.score for m in self.meanings if m.column is not None), default=0.0)


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """A column's value, or what a table's rows are called by."""

    mention: Mention


@dataclass(frozen=True, slots=True, eq=False)
class Measure:
    """Rows added up to one figure; `only` are conditions on the rows that count."""

    aggregate: Aggregate
    mention: Mention | None
    distinct: bool = False
    each: Mention | None = None
    only: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Everything:
    """All columns of a table."""

    mention: Mention | None


@dataclass(frozen=True, slots=True, eq=False)
class Bucket:
    """The period of a date column."""

    grain: Grain
    mention: Mention | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Stretch:
    """From `low` to `high`, where None is open; `words` name it. A bound may count or not."""

    words: str
    low: float | None = None
    high: float | None = None
    low_counts: bool = True
    high_counts: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Band:
    """In which stretch a figure lies: one of those named, or a step of this width.

    The step that begins at `top` holds all above. Without a width the data has to tell one.
    """

    mention: Mention
    stretches: tuple[Stretch, ...] = ()
    width: float = 0.0
    top: float | None = None

    @property
    def open(self) -> bool:
        return not (self.stretches or self.width)


@dataclass(frozen=True, slots=True, eq=False)
class Ratio:
    """One figure as a part of another; `percent` shows it out of a hundred.

    Each side is a figure and the conditions that only its rows have to meet.
    """

    top: Measure
    bottom: Measure
    percent: bool = False
    of_all_groups: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Span:
    """The time between two dates of a row, in days, months, years or hours.

    `pick` takes the `first` or the `last` of the rows that belong to the one that it begins with.
    """

    first: Mention
    last: Mention
    unit: Grain
    aggregate: Aggregate | None = None
    pick: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Gap:
    """One figure less another; `aggregate` makes one of the differences of all rows."""

    top: Term
    bottom: Term
    aggregate: Aggregate | None = None


Term = Field | Measure | Everything | Bucket | Band | Ratio | Span | Gap


@dataclass(frozen=True, slots=True, eq=False)
class Literal:
    """A value as written, and the columns that hold it; `end` is "from" or "to" of a way."""

    text: str
    found: tuple[Found, ...]
    quoted: bool
    at: int
    end: str = ""


Operand = Literal | float | Period | Term


@dataclass(frozen=True, slots=True, eq=False)
class Compare:
    """`term` stands in the relation `op` to the operand; a list of operands is any of them."""

    term: Term
    op: str
    operand: Operand | Sketch
    upper: Operand | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Holds:
    """Some column has this value; `mention` says which, or to what it belongs."""

    literal: Literal
    mention: Mention | None = None
    negated: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Dated:
    """A date lies `in`, `before`, `after`, `since` or `until` a period, or `between` two."""

    period: Period
    relation: str = "in"
    mention: Mention | None = None
    until: Period | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Related:
    """There are rows of another table that belong to this one: at least one, or so many.

    `by_verb` says that a verb named the table, which may only join what stands around it.
    """

    mention: Mention
    conditions: tuple[Condition, ...] = ()
    negated: bool = False
    op: str = ""
    number: float = 0
    by_verb: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Flag:
    """A yes-or-no column says so."""

    mention: Mention
    truth: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Missing:
    """A column is empty, or is not."""

    mention: Mention
    truth: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Not:
    condition: Condition


@dataclass(frozen=True, slots=True, eq=False)
class AllOf:
    """Each of them holds; `apart` when different rows of a related table may fulfil them."""

    conditions: tuple[Condition, ...]
    apart: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class AnyOf:
    conditions: tuple[Condition, ...]


Condition = Compare | Holds | Dated | Related | Flag | Missing | Not | AllOf | AnyOf


@dataclass(frozen=True, slots=True, eq=False)
class OrderKey:
    """`extreme` when a superlative named the first, not an order of all."""

    term: Term
    descending: bool
    extreme: bool = False


@dataclass(slots=True, eq=False)
class Sketch:
    """Filled while a question is read.

    `subject` is what the rows of the answer are about. `explicit` says that the columns to show
    were listed, `direction` was given without saying of what, `ranking` (asc or desc) that the
    first of a ranking are wanted. `unexplained` are words that carry meaning and were not
    understood, `verbs` such as may only join others, `doubts` sentences that were passed over.
    `turned` sorts the first of a ranking the other way, once they are found.
    `which` asks for things, so each of them is named once; `what` asks for one, which may have
    no name. `ranked` shows what is ordered by beside what is ordered. `running` adds each period
    to those before it, `changes` sets each beside the one before, `develops` asks where they go.
    `duplicates` asks for what is there more than once, `repeated` are the columns that have to be
    the same then (all where there are none); `empty` asks for the periods of that grain in which
    there are no rows of the subject. Both are listed, or `counted`. `each` is what a figure is
    reckoned per, `within` the groups of which each has a ranking of its own. `settled` tells a
    reader how words were taken that may mean something else.
    """

    items: list[Term] = field(default_factory=list["Term"])
    subject: Mention | None = None
    conditions: list[Condition] = field(default_factory=list["Condition"])
    groups: list[Term] = field(default_factory=list["Term"])
    order: list[OrderKey] = field(default_factory=list["OrderKey"])
    direction: str = ""
    ranking: str = ""
    limit: int | None = None
    offset: int = 0
    distinct: bool = False
    explicit: bool = False
    common: bool = False
    which: bool = False
    what: bool = False
    growth: str = ""
    percent_growth: bool = False
    running: bool = False
    changes: bool = False
    develops: bool = False
    ranked: bool = False
    turned: str = ""
    decimals: int | None = None
    duplicates: bool = False
    repeated: tuple[Mention, ...] = ()
    empty: Grain | None = None
    counted: bool = False
    each: Mention | None = None
    settled: tuple[str, ...] = ()
    within: Term | None = None
    unexplained: list[str] = field(default_factory=list[str])
    verbs: list[str] = field(default_factory=list[str])
    doubts: list[str] = field(default_factory=list[str])

    def copied(self) -> Sketch:
        """Return a sketch whose lists may be changed without changing this one."""
        other = copy(self)
        other.items, other.groups = list(self.items), list(self.groups)
        other.order, other.conditions = list(self.order), list(self.conditions)
        other.unexplained, other.verbs = list(self.unexplained), list(self.verbs)
        return other
