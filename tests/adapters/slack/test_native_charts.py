from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.slack.blocks.chart import native_chart
from core.domain.answer import ChartFigures, ChartSeries, FileRef, ShownChart
from core.domain.ids import FileId
from tests.kit.slack_rules import block_errors
from tests.kit.slack_stage import INTENT, calling, slack_stage

PICTURE = FileRef(id=FileId("f"), name="chart.png", media_type="image/png", size_bytes=9)
BY_REGION = calling(
    "run_query",
    sql="SELECT CASE WHEN id = 1 THEN 'north' ELSE 'south' END AS region, amount FROM orders",
)
NATIVE = {"native_charts": True}
WORDS = st.text(max_size=22)


@st.composite
def figures(draw: st.DrawFn) -> ChartFigures:
    categories = draw(st.lists(WORDS, min_size=1, max_size=22, unique=True))
    size = len(categories)
    numbers = st.floats(allow_nan=False, allow_infinity=False)
    values = st.lists(numbers, min_size=size, max_size=size).map(tuple)
    series = st.builds(ChartSeries, name=WORDS, values=values)
    return ChartFigures(
        kind=draw(st.sampled_from(("line", "bar"))),
        categories=tuple(categories),
        series=tuple(draw(st.lists(series, min_size=1, max_size=13))),
        x=draw(st.text(max_size=80)),
        y="",
    )


@given(figures(), st.text(max_size=120))
def test_every_chart_is_one_that_slack_takes_or_a_picture(found: ChartFigures, title: str):
    block = native_chart(ShownChart(title=title, alt_text="", picture=PICTURE, figures=found))

    assert block is None or not block_errors([block], files=set())


async def test_slack_draws_the_chart_where_that_is_set(tmp_path: Path):
    async with slack_stage(tmp_path, INTENT, BY_REGION, "Both.", slack_more=NATIVE) as stage:
        await stage.slack.asks("U1", "by region?")
        answer = await stage.until_shown("Both.")
        await stage.settled()

    [chart] = [each["chart"] for each in answer.blocks if each["type"] == "data_visualization"]
    assert chart["axis_config"]["categories"] == ["north", "south"]
    assert [point["value"] for point in chart["series"][0]["data"]] == [1.0, 2.5]
    assert not [each for each in answer.blocks if each["type"] == "image"]
    assert not stage.world.refusals


@pytest.mark.parametrize("streams", [True, False])
async def test_where_slack_draws_none_the_picture_stands_there_and_next_time_at_once(
    tmp_path: Path, *, streams: bool
):
    script = (INTENT, BY_REGION, "Both.", INTENT, BY_REGION, "Both again.")
    async with slack_stage(tmp_path, *script, slack_more=NATIVE) as stage:
        stage.world.streams, stage.world.draws_charts = streams, False
        await stage.slack.asks("U1", "by region?")
        first = await stage.until_shown("Both.")
        await stage.settled()
        await stage.slack.asks("U1", "and by region again?")
        second = await stage.until_shown("Both again.")
        await stage.settled()

    for answer in (first, second):
        kinds = [each["type"] for each in answer.blocks]
        assert kinds.count("image") == 1
        assert "data_visualization" not in kinds
    tries = ["data_visualization" in str(arguments) for _, arguments in stage.world.calls]
    assert tries.count(True) == 1
