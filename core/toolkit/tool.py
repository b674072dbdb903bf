"""What a tool is: a function of typed arguments, declared once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from inspect import cleandoc, signature
from typing import Any, ClassVar, Generic, TypeVar, get_type_hints

from pydantic import ValidationError

from core.domain.artifact import ChartSpec, Declaration
from core.domain.errors import BadArguments
from core.domain.table import EMPTY, Column, Table
from core.toolkit.args import ToolArgs
from core.toolkit.context import ToolContext
from core.toolkit.family import Family


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """What came back: one sentence that the rows support, the rows, and what to know of them.

    `columns` are declared by the tools whose columns are always the same. `whole` says that a
    part of the rows would mislead the model, as with half a schema. `chart` is set where the
    arguments decide how the result is drawn; else the tool's own declaration counts.
    """

    columns: ClassVar[tuple[Column, ...]] = ()
    whole: ClassVar[bool] = False

    finding: str
    table: Table = EMPTY
    chart: ChartSpec | None = None
    notes: tuple[str, ...] = ()


Args = TypeVar("Args", bound=ToolArgs)
Result = TypeVar("Result", bound=ToolResult)


def _always(_: ToolContext) -> bool:
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool(Generic[Args, Result]):
    """A declared tool; calling it runs its function.

    `ends_run`: its finding is the final answer. `available` says whether a run has what it needs.
    """

    name: str
    family: Family
    doc: str
    args: type[Args]
    result: type[Result]
    artifact: Declaration | None
    always_on: bool
    ends_run: bool
    available: Callable[[ToolContext], bool]
    function: Callable[[Args, ToolContext], Awaitable[Result]]

    @property
    def module(self) -> str:
        return self.function.__module__

    async def __call__(self, args: Args, ctx: ToolContext) -> Result:
        return await self.function(args, ctx)

    async def call(self, arguments: Mapping[str, Any], ctx: ToolContext) -> Result:
        """Check the model's arguments and run.

        Raises:
            BadArguments: they do not fit; the advice names each one that does not.
        """
        try:
            args = self.args.model_validate(arguments)
        except ValidationError as error:
            raise BadArguments(_advice(self.name, error)) from error
        return await self.function(args, ctx)


AnyTool = Tool[Any, Any]


def tool(
    *,
    family: Family,
    artifact: Declaration | None = None,
    always_on: bool = False,
    ends_run: bool = False,
    available: Callable[[ToolContext], bool] = _always,
) -> Callable[[Callable[[Args, ToolContext], Awaitable[Result]]], Tool[Args, Result]]:
    """Declare the function below as a tool; its name, docstring and types are the tool's own."""

    def declare(function: Callable[[Args, ToolContext], Awaitable[Result]]) -> Tool[Args, Result]:
        hints = get_type_hints(function)
        first = next(iter(signature(function).parameters))
        return Tool(
            name=function.__name__,
            family=family,
            doc=cleandoc(function.__doc__ or ""),
            args=hints[first],
            result=hints["return"],
            artifact=artifact,
            always_on=always_on,
            ends_run=ends_run,
            available=available,
            function=function,
        )

    return declare


def _advice(name: str, error: ValidationError) -> str:
    problems = "; ".join(
        f"{'.'.join(map(str, each['loc'])) or 'arguments'}: {each['msg']}"
        for each in error.errors()
    )
    return f"The arguments of {name} do not fit: {problems}."
