import pytest

from core.domain.errors import BadArguments
from core.toolkit.context import ToolContext
from core.tools.conversational.report_unanswerable import report_unanswerable


async def test_its_finding_is_the_answer(ctx: ToolContext):
    result = await report_unanswerable.call(
        {"reason": "There is nothing about weather here.", "missing": ["a table of weather", "b"]},
        ctx,
    )

    assert report_unanswerable.ends_run
    assert result.finding == (
        "There is nothing about weather here.\n\nMissing:\n- a table of weather\n- b"
    )
    assert result.table.rows == ()


async def test_the_reason_alone_is_enough(ctx: ToolContext):
    result = await report_unanswerable.call({"reason": " Data is never changed here. "}, ctx)

    assert result.finding == "Data is never changed here."


async def test_a_reason_is_needed(ctx: ToolContext):
    with pytest.raises(BadArguments, match="reason"):
        await report_unanswerable.call({"reason": ""}, ctx)
