"""From a result and its declaration to what the reader gets: preview, chart, file."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import Self

from core.agent.chart_choice import choose_chart
from core.agent.chart_figures import figures_of
from core.agent.csv_file import csv_chunks, file_name
from core.agent.outcome import Done
from core.agent.reporter import Reporter
from core.domain.answer import FileRef, Shown, ShownChart, ShownColumn, ShownTable
from core.domain.artifact import NARROW, Chart, ChartSpec, Declaration, Sheet, Stats
from core.domain.errors import ReaderNeeded, ToolError
from core.domain.ids import ArtifactId, ToolCallId, fresh_id
from core.domain.table import Table, json_cell
from core.ports.chart_renderer import ChartRenderer, Picture
from core.ports.file_store import FileStore

log = logging.getLogger(__name__)

PREVIEW_ROWS = 200  # a surface shows fewer; who asks for JSON wants the rows
LONGEST_TITLE = 120

# Reads the whole of a result whose rows were cut off, in batches.
Export = Callable[[Done], AsyncIterator[Table] | None]


@dataclass(slots=True, kw_only=True)
class ArtifactEmitter:
    """Makes artifacts while the run goes on; leaving it ends what is still being made.

    A chart that cannot be drawn is left out: the table stays.
    """

    charts: ChartRenderer
    files: FileStore
    reporter: Reporter
    export: Export
    question: str
    adapts: bool
    _making: dict[ToolCallId, asyncio.Task[Shown]] = field(
        default_factory=dict[ToolCallId, asyncio.Task[Shown]], init=False
    )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for task in self._making.values():
            task.cancel()
        if self._making:
            await asyncio.wait(self._making.values())
        self._making.clear()

    def about(self, question: str, reporter: Reporter, export: Export) -> ArtifactEmitter:
        """Return an emitter for a part of the run: what it begins, this one finishes and ends."""
        part = ArtifactEmitter(
            charts=self.charts,
            files=self.files,
            reporter=reporter,
            export=export,
            question=question,
            adapts=self.adapts,
        )
        part._making = self._making
        return part

    def begin(self, done: Done) -> None:
        """Start to draw what a result declares; the reader sees it as soon as it is there."""
        declaration = done.declaration
        if declaration is not None:
            task = asyncio.create_task(self._drawn(done, declaration))
            self._making[done.call.id] = task

    async def finish(self, chosen: Sequence[Done]) -> tuple[Shown, ...]:
        """Return the chosen results as shown, each with the file of all its rows."""
        shown = [
            await self._with_file(await self._making[done.call.id], done)
            for done in chosen
            if done.call.id in self._making
        ]
        return tuple(shown)

    async def _drawn(self, done: Done, declaration: Declaration | ChartSpec) -> Shown:
        title = self._title(done, declaration)
        shown = Shown(
            id=ArtifactId(fresh_id()),
            title=title,
            table=preview(done.result.table),
            charts=await self._charts(done.result.table, title, declaration),
        )
        self.reporter.made(shown)
        return shown

    def _title(self, done: Done, declaration: Declaration | ChartSpec) -> str:
        given = done.arguments.get("title")
        if isinstance(given, str) and given.strip():
            return _on_one_line(given)
        # The finding of a plain sheet counts its rows; the question says more.
        says = self.question if isinstance(declaration, Sheet) else done.result.finding
        return _on_one_line(says)

    async def _charts(
        self, table: Table, title: str, declaration: Declaration | ChartSpec
    ) -> tuple[ShownChart, ...]:
        spec = choose_chart(table) if isinstance(declaration, Sheet) else declaration
        if spec is None or isinstance(spec, Sheet | Stats):
            return ()
        chart = Chart(spec=spec, title=title, table=table)
        picture = await self._picture(chart)
        if picture is None:
            return ()
        # One after the other: a second process would have to start for the first chart of all.
        narrow = await self._picture(replace(chart, width=NARROW)) if self.adapts else None
        return (
            ShownChart(
                title=title,
                alt_text=picture.alt_text,
                picture=await self._kept(picture, title),
                narrow=await self._kept(narrow, f"{title} narrow") if narrow else None,
                figures=figures_of(chart),
            ),
        )

    async def _picture(self, chart: Chart) -> Picture | None:
        try:
            return await self.charts.render(chart)
        except ToolError as error:
            log.info("no chart: %s", error.advice)
            return None

    async def _kept(self, picture: Picture, title: str) -> FileRef:
        return await self.files.put(file_name(title, "png"), "image/png", _one(picture.png))

    async def _with_file(self, shown: Shown, done: Done) -> Shown:
        table = done.result.table
        if table.truncated:
            whole = await self._put_whole(shown, done)
            if whole is not None:
                return shown.model_copy(update={"files": (whole,)})
        ref = await self._put(shown, _one_table(table))
        return shown.model_copy(update={"files": (ref,)})

    async def _put_whole(self, shown: Shown, done: Done) -> FileRef | None:
        batches = self.export(done)
        if batches is None:
            return None
        try:
            return await self._put(shown, batches)
        except (ToolError, ReaderNeeded) as error:
            log.info("the whole result was not exported: %s", error)
            return None

    async def _put(self, shown: Shown, tables: AsyncIterator[Table]) -> FileRef:
        return await self.files.put(file_name(shown.title, "csv"), "text/csv", csv_chunks(tables))


def preview(table: Table) -> ShownTable:
    """Return the first rows as any surface can show them."""
    return ShownTable(
        columns=tuple(
            ShownColumn(
                name=column.name, kind=column.kind, unit=column.unit, heading=column.heading
            )
            for column in table.columns
        ),
        rows=tuple(tuple(json_cell(cell) for cell in row) for row in table.rows[:PREVIEW_ROWS]),
        row_count=len(table.rows),
        truncated=table.truncated,
    )


def _on_one_line(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= LONGEST_TITLE else flat[: LONGEST_TITLE - 1].rstrip() + "…"


async def _one(content: bytes) -> AsyncIterator[bytes]:
    yield content


async def _one_table(table: Table) -> AsyncIterator[Table]:
    yield table
