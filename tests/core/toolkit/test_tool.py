from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from pydantic import Field

from adapters.warehouses.sqlite.warehouse import SqliteWarehouse
from core.domain.artifact import Sheet
from core.domain.errors import BadArguments
from core.domain.table import EMPTY
from core.toolkit.args import NoArgs, ToolArgs
from core.toolkit.context import ToolContext
from core.toolkit.family import Family
from core.toolkit.tool import ToolResult, tool
from tests.kit.dataset import open_tool_context, to_sqlite


class GreetArgs(ToolArgs):
    name: str = Field(min_length=1, description="Whom to greet.")
    times: int = Field(default=1, ge=1, description="How often.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Greeting(ToolResult):
    loud: bool = False


@tool(family=Family.META, artifact=Sheet(), available=lambda ctx: ctx.web.available)
async def greet(args: GreetArgs, ctx: ToolContext) -> Greeting:
    """Greet somebody.

    Returns no rows.
    """
    return Greeting(finding="Hello " * args.times + args.name, loud=args.times > 1)


@tool(family=Family.META)
async def wait(args: NoArgs, ctx: ToolContext) -> ToolResult:
    """Do nothing."""
    return ToolResult(finding="Done.")


def test_a_tool_is_declared_once_by_its_function():
    assert greet.name == "greet"
    assert greet.module == __name__
    assert greet.args is GreetArgs
    assert greet.result is Greeting
    assert greet.doc == "Greet somebody.\n\nReturns no rows."
    assert (greet.always_on, greet.ends_run) == (False, False)
    assert wait.artifact is None


async def test_arguments_are_checked_before_it_runs(ctx: ToolContext):
    result = await greet.call({"name": "Ada", "times": 2}, ctx)

    assert (result.finding, result.loud) == ("Hello Hello Ada", True)
    assert result.table is EMPTY


async def test_it_runs_with_arguments_that_were_checked_already(ctx: ToolContext):
    result = await greet(GreetArgs(name="Ada"), ctx)

    assert result.finding == "Hello Ada"


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        ({}, "name: Field required"),
        ({"name": "", "times": 0}, "times: Input should be greater than or equal to 1"),
        ({"name": "Ada", "connection": "other"}, "connection: Extra inputs are not permitted"),
    ],
)
async def test_advice_names_each_argument_that_does_not_fit(
    ctx: ToolContext, arguments: dict[str, object], advice: str
):
    with pytest.raises(BadArguments, match="The arguments of greet do not fit: ") as refused:
        await greet.call(arguments, ctx)

    assert advice in refused.value.advice


async def test_a_tool_without_a_condition_is_always_available(ctx: ToolContext):
    assert wait.available(ctx)
    assert not greet.available(ctx)
    assert (await wait.call({}, ctx)).finding == "Done."


@pytest.fixture
async def ctx(tmp_path: Path) -> AsyncIterator[ToolContext]:
    warehouse = SqliteWarehouse(to_sqlite(tmp_path / "shop.sqlite"))
    yield await open_tool_context(warehouse)
    await warehouse.close()


async def test_finds_tables_and_columns_whatever_their_letter_case(ctx: ToolContext):
    orders = ctx.table("ORDERS")

    assert orders.name == "orders"
    assert ctx.column(orders, "Amount").name == "amount"


async def test_advice_names_the_nearest_table_and_column(ctx: ToolContext):
    with pytest.raises(BadArguments, match="order_items"):
        ctx.table("orderitems")
    with pytest.raises(BadArguments, match="column of orders"):
        ctx.column(ctx.table("orders"), "ammount")
