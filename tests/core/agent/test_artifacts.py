import csv
import io

import pytest

from core.agent.csv_file import file_name
from core.domain.answer import Shown
from core.domain.artifact import NARROW, WIDE, BarChart, LineChart, Sheet
from core.domain.connection import Connection, Limits
from core.domain.errors import TemporarilyUnavailable
from core.domain.events import ArtifactMade
from core.domain.ids import ConnectionName
from core.domain.people import Place
from core.domain.query import Dialect
from core.domain.table import Column, ColumnKind, Table
from core.toolkit.args import ToolArgs
from core.toolkit.context import ToolContext
from core.toolkit.family import Family
from core.toolkit.tool import ToolResult, tool
from tests.core.agent.probes import catalogue
from tests.core.agent.stage import Stage, call, calls, query


class PartArgs(ToolArgs):
    """What to read."""

    sql: str = ""


BY_COUNTRY = (
    "SELECT country, COUNT(*) AS orders FROM orders"
    " JOIN customers ON customers.id = customer_id GROUP BY country ORDER BY country"
)


async def rows_of_file(stage: Stage, shown: Shown | None) -> list[list[str]]:
    assert shown is not None
    [file] = shown.files
    return list(csv.reader(io.StringIO((await stage.files.read(file.id)).decode())))


async def test_a_table_is_shown_with_its_chart_and_its_file(stage: Stage):
    stage.script(calls(query(BY_COUNTRY, title="Orders by country")), "Spain has 80 orders.")

    answer = await stage.answer()

    assert answer.result is not None
    [chart] = answer.result.charts
    assert chart.title == "Orders by country"
    assert chart.picture.name == "Orders_by_country.png"
    assert [each.spec for each in stage.charts.drawn] == [BarChart(x="country", y="orders")]
    assert chart.narrow is None
    assert await rows_of_file(stage, answer.result) == [
        ["country", "orders"],
        ["Norway", "40"],
        ["Spain", "80"],
    ]


async def test_a_chart_is_drawn_for_narrow_screens_where_the_place_shows_what_fits(stage: Stage):
    stage.place = Place(platform="page", adapts=True)
    stage.script(calls(query(BY_COUNTRY, title="Orders by country")), "Spain has 80 orders.")

    answer = await stage.answer()

    assert answer.result is not None
    [chart] = answer.result.charts
    assert [each.width for each in stage.charts.drawn] == [WIDE, NARROW]
    assert chart.narrow is not None
    assert chart.narrow.id != chart.picture.id


async def test_the_preview_has_the_first_rows_and_the_file_has_all(stage: Stage):
    four_times = " UNION ALL ".join(["SELECT id, day, amount FROM orders"] * 4)
    stage.script(calls(query(four_times)), "Here they are.")

    answer = await stage.answer()

    assert answer.result is not None
    assert answer.result.table is not None
    assert len(answer.result.table.rows) == 200
    assert answer.result.table.row_count == 480
    assert len(await rows_of_file(stage, answer.result)) == 481


async def test_a_cut_off_result_is_read_again_whole_for_the_file(stage: Stage):
    stage.connection = Connection(
        name=ConnectionName("shop"), dialect=Dialect.SQLITE, limits=Limits(rows=20)
    )
    stage.script(calls(query("SELECT id, amount FROM orders")), "Here are the orders.")

    answer = await stage.answer()

    assert answer.result is not None
    assert answer.result.table is not None
    assert (answer.result.table.row_count, answer.result.table.truncated) == (20, True)
    assert len(await rows_of_file(stage, answer.result)) == 121
    assert answer.warnings == ("Only the first 20 rows were read; there are more.",)


async def test_formulas_in_the_data_stay_text(stage: Stage):
    stage.script(
        calls(query("SELECT note, -amount AS less FROM orders WHERE note IS NOT NULL LIMIT 1")),
        "One note.",
    )

    answer = await stage.answer()

    assert (await rows_of_file(stage, answer.result))[1] == ["'=1+1", "-10"]


async def test_the_reader_sees_a_result_before_the_answer(stage: Stage):
    stage.script(calls(query(BY_COUNTRY)), "Spain has 80 orders.")

    events = await stage.ask("Orders by country")

    [made] = [event.shown for event in events if isinstance(event, ArtifactMade)]
    assert made.title == "Orders by country"
    assert made.table is not None


async def test_shows_only_the_results_that_the_text_speaks_of(stage: Stage):
    stage.script(
        calls(query("SELECT DISTINCT country FROM customers", title="Looking")),
        calls(
            query("SELECT COUNT(*) AS orders FROM orders", title="All"),
            query("SELECT SUM(amount) AS revenue FROM orders", title="Revenue"),
        ),
        "120 orders brought 8,340.",
    )

    answer = await stage.answer()

    assert [each.title for each in answer.shown] == ["All", "Revenue"]
    assert answer.result == answer.shown[-1]
    assert len(answer.sql) == 3


async def test_an_empty_result_is_a_result(stage: Stage):
    stage.script(
        calls(query("SELECT id FROM orders WHERE amount > 1000", title="Large")), "There are none."
    )

    answer = await stage.answer()

    assert answer.result is not None
    assert answer.result.table is not None
    assert answer.result.table.row_count == 0
    assert answer.result.charts == ()


async def test_steps_on_the_way_are_not_shown(stage: Stage):
    stage.script(calls(call("get_schema", {"tables": ["orders"]})), "Orders has 5 columns.")

    answer = await stage.answer()

    assert answer.result is None
    assert answer.shown == ()


async def test_a_chart_that_cannot_be_drawn_leaves_the_table(stage: Stage):
    async def away(_: object) -> object:
        raise TemporarilyUnavailable("What draws did not answer.")

    class Away:
        render = staticmethod(away)

    stage.charts = Away()  # pyright: ignore[reportAttributeAccessIssue]
    stage.script(calls(query(BY_COUNTRY)), "Spain has 80 orders.")

    answer = await stage.answer()

    assert answer.result is not None
    assert answer.result.charts == ()
    assert answer.result.table is not None


async def test_what_a_tool_declares_is_drawn_as_declared(stage: Stage):
    trend = {"table": "orders", "time_column": "day", "measure": "amount", "grain": "month"}
    stage.script(calls(call("compute_trend", trend)), "It rises.")

    answer = await stage.answer()

    assert answer.result is not None
    assert [type(each.spec) for each in stage.charts.drawn] == [LineChart]


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Revenue by country, 2026", "Revenue_by_country_2026.csv"),
        ("../../etc/passwd", "etc_passwd.csv"),
        ("売上 by month", "売上_by_month.csv"),
        ("???", "result.csv"),
        ("x" * 300, "x" * 60 + ".csv"),
    ],
)
def test_a_title_makes_a_name_that_every_system_takes(title: str, name: str):
    assert file_name(title, "csv") == name


@pytest.mark.parametrize("exports", [True, False])
async def test_a_file_has_the_rows_there_are_when_the_rest_cannot_be_read(
    stage: Stage, *, exports: bool
):
    cut_off = Table(columns=(Column("n", ColumnKind.MEASURE),), rows=((1,), (2,)), truncated=True)

    @tool(family=Family.ANALYZE, artifact=Sheet(), always_on=True)
    async def read_part(_args: PartArgs, _ctx: ToolContext) -> ToolResult:
        """Read a part."""
        return ToolResult(finding="Two of many.", table=cut_off)

    stage.catalogue = catalogue([read_part])
    arguments = {"sql": "SELECT n FROM no_such_table"} if exports else {}
    stage.script(calls(call("read_part", arguments)), "The first is 1.")

    answer = await stage.answer()

    assert await rows_of_file(stage, answer.result) == [["n"], ["1"], ["2"]]
