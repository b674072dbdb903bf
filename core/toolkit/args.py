"""The arguments of tools, and the field types that they share."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

TableName = Annotated[
    str,
    Field(
        min_length=1,
        max_length=300,
        description="Table as the catalog writes it, with its schema where it has one.",
    ),
]
ColumnName = Annotated[
    str, Field(min_length=1, max_length=300, description="Column as the catalog writes it.")
]
Condition = Annotated[
    str,
    Field(
        max_length=4_000,
        description="SQL condition on the table's columns, as after WHERE; empty for none.",
    ),
]


class ToolArgs(BaseModel):
    """What the model may choose. Who asks and which connection is read comes from the context."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class NoArgs(ToolArgs):
    """A tool that has nothing to choose."""
