"""Whether the definitions of a connection can be used, for `resona doctor`."""

from __future__ import annotations

from dataclasses import dataclass

from bot.connections import OpenConnection
from bot.recollecting import Recollecting
from core.domain.ids import WorkspaceId
from core.ports.data_dictionary import DataDictionary
from core.toolkit.wording import counted

# Nobody in particular looks on.
_NOBODY = WorkspaceId("")


@dataclass(frozen=True, slots=True)
class Health:
    """`readable`: every file makes sense; `fits`: all that it says holds for the connection."""

    text: str
    readable: bool = True
    fits: bool = True


async def about_definitions(dictionary: DataDictionary, found: OpenConnection) -> Health:
    """Say in one line what is defined for a connection; nothing where nothing is."""
    stated, fitting = await Recollecting(dictionary).stated_for(_NOBODY, found)
    problems = [*map(str, stated.problems), *map(str, fitting.problems)]
    usable = counted(len(tuple(fitting.definitions)), "definition")
    if not problems:
        return Health(f"{usable} from {', '.join(stated.sources)}" if stated.sources else "")
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    before = ", those from before the last change" if stated.outdated else ""
    return Health(
        f"{problems[0]}{more}; {usable} can be used{before}",
        readable=not stated.problems,
        fits=not fitting.problems,
    )
