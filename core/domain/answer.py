"""What a turn gives back, as values that can be stored, sent and shown anywhere."""

from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, model_validator

from core.domain.decisions import Answered
from core.domain.ids import ArtifactId, FileId
from core.domain.query import CostEstimate
from core.domain.table import PERCENTAGES, ColumnKind, JsonCell, in_words
from core.domain.writing import Writing, writing_of, written


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ShownColumn(_Frozen):
    """A column's head as a reader sees it, and how its cells are written."""

    name: str
    kind: ColumnKind
    unit: str = ""
    heading: str = ""
    writing: Writing | None = None

    @property
    def shown_unit(self) -> str:
        """Return the unit to stand beside the heading; percentages have it in their cells."""
        return "" if self.unit in PERCENTAGES else self.unit

    def written(self, cell: JsonCell) -> str:
        """Write a cell of this column as every surface writes it."""
        return written(cell, self.unit, self.writing or Writing())


class ShownTable(_Frozen):
    """A preview: the first rows, and how many there are in all (`truncated`: at least).

    Its columns always know their heading and their writing: made here where they do not come.
    """

    columns: tuple[ShownColumn, ...]
    rows: tuple[tuple[JsonCell, ...], ...]
    row_count: int
    truncated: bool = False

    @model_validator(mode="after")
    def _with_writings(self) -> Self:
        columns = tuple(self._complete(at, column) for at, column in enumerate(self.columns))
        object.__setattr__(self, "columns", columns)
        return self

    def _complete(self, at: int, column: ShownColumn) -> ShownColumn:
        if column.heading and column.writing is not None:
            return column
        cells = [row[at] for row in self.rows]
        found = column.writing or writing_of(column.name, column.kind, column.unit, cells)
        heading = column.heading or in_words(column.name)
        return column.model_copy(update={"heading": heading, "writing": found})


class FileRef(_Frozen):
    """A file kept for the reader; its bytes are asked for by `id`."""

    id: FileId
    name: str
    media_type: str
    size_bytes: int


class ChartSeries(_Frozen):
    """One line, or the bars of one color: a value for each category."""

    name: str
    values: tuple[float, ...]


class ChartFigures(_Frozen):
    """What a simple chart shows, for platforms that draw it themselves; `y` is "" for several."""

    kind: Literal["line", "bar"]
    categories: tuple[str, ...]
    series: tuple[ChartSeries, ...]
    x: str
    y: str


class ShownChart(_Frozen):
    """A chart that was drawn: the picture and the words for those who do not see it.

    `narrow` is the same for a narrow screen, where its letters would be too small.
    """

    title: str
    alt_text: str
    picture: FileRef
    narrow: FileRef | None = None
    figures: ChartFigures | None = None


class Shown(_Frozen):
    """An artifact as every surface can show it: any of a table, a chart and files."""

    id: ArtifactId
    title: str
    table: ShownTable | None = None
    charts: tuple[ShownChart, ...] = ()
    files: tuple[FileRef, ...] = ()


class ExecutedSql(_Frozen):
    """A statement that really ran: for what the answer shows, or to look something up for it.

    rows: that it gave; `read` is what it read of the tables for them, where that is known
    """

    sql: str
    rows: int
    seconds: float
    read: CostEstimate | None = None
    purpose: Literal["answer", "look_up"] = "answer"


class Conditions(_Frozen):
    """What a statement asks of its rows, in words; values in it are data.

    period: "2025", "Q3 2025", "since 1 Jul 2025"; "" where there is none or no single one
    time_zone: that the period's days are of; "" where it is not known for certain
    filters: such as "status in paid, shipped"; "other conditions" stands for those left unsaid
    """

    period: str = ""
    time_zone: str = ""
    filters: tuple[str, ...] = ()

    def in_short(self, *, most: int = 3) -> tuple[str, ...]:
        """Return the parts of a line: the period, its zone with it, and the first filters."""
        zoned = f"{self.period} ({self.time_zone})" if self.time_zone else self.period
        left_out = len(self.filters) - most
        more = (f"and {left_out} more",) if left_out > 0 else ()
        return tuple(each for each in (zoned, *self.filters[:most], *more) if each)


class Usage(_Frozen):
    """What the model was paid in: tokens, and dollars where a price is known.

    unpriced: some of it has no known price, so that `usd` is the rest only
    """

    input_tokens: int = 0
    output_tokens: int = 0
    usd: float = 0.0
    unpriced: bool = False

    @property
    def cost(self) -> float | None:
        """Return the dollars; None where nobody knows them."""
        return None if self.unpriced else self.usd

    @property
    def cost_in_words(self) -> str:
        """Say what it cost, as every surface says it."""
        if self.unpriced:
            return f"at least ${self.usd:.4f}" if self.usd else "model cost not known"
        return f"${self.usd:.4f}" if self.usd else "no model cost"

    def __add__(self, other: "Usage") -> "Usage":
        if other == NO_USAGE:
            return self
        if self == NO_USAGE:
            return other
        return Usage(
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            usd=self.usd + other.usd,
            unpriced=self.unpriced or other.unpriced,
        )


NO_USAGE = Usage()


class Steps(_Frozen):
    """What a person is led through: the steps done so far, oldest first, and those to come."""

    done: tuple[str, ...] = ()
    ahead: tuple[str, ...] = ()


NO_STEPS = Steps()


class Answer(_Frozen):
    """The one final answer of a turn.

    `refused` says that the answer is a no (a request to change data, a question about nothing
    in it); `result` is the table that the text speaks of, and `conditions` are those of its rows;
    `steps` are there where the person is led through several. `checked`: the text has figures,
    and each is in the results or follows from them. `read` is what was read for it, in words:
    "about 181k rows read". `answered` is what the person was asked on the way, and has said.
    """

    text: str
    refused: bool = False
    checked: bool = False
    read: str = ""
    result: Shown | None = None
    shown: tuple[Shown, ...] = ()
    sql: tuple[ExecutedSql, ...] = ()
    conditions: Conditions = Conditions()
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()
    steps: Steps = NO_STEPS
    answered: tuple[Answered, ...] = ()
    connection: str = ""
    model: str = ""
    usage: Usage = NO_USAGE
    seconds: float = 0.0

    @property
    def main_sql(self) -> tuple[ExecutedSql, ...]:
        return tuple(each for each in self.sql if each.purpose == "answer")

    @property
    def look_ups(self) -> tuple[ExecutedSql, ...]:
        return tuple(each for each in self.sql if each.purpose == "look_up")
