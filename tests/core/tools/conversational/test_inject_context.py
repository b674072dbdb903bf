from dataclasses import replace

from core.toolkit.context import ToolContext
from core.tools.conversational.inject_context import inject_context


async def test_keeps_the_sentence_for_the_run(ctx: ToolContext):
    kept: list[str] = []

    result = await inject_context.call(
        {"note": " Refunds are\n negative amounts. "}, replace(ctx, note=kept.append)
    )

    assert kept == ["Refunds are negative amounts."]
    assert result.finding == "Noted for this run: Refunds are negative amounts."
