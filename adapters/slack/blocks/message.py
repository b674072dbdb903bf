"""What a message is made of, in three degrees of plainness."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

import orjson

from adapters.slack import limits
from adapters.slack.text import cut, in_sections
from adapters.slack.wire import Object, section

_CHARTS = frozenset({"image", "data_visualization"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """`text` is what notifications say; it stands for the whole where there are no blocks."""

    text: str
    blocks: tuple[Object, ...] = ()

    @property
    def has_charts(self) -> bool:
        return any(each["type"] in _CHARTS for each in self.blocks)

    @property
    def characters(self) -> int:
        """Return the characters of all texts, as Slack counts them against a message."""
        return sum(len(text) for each in self.blocks for text in texts(each))

    @property
    def bytes(self) -> int:
        return len(orjson.dumps(self.blocks or self.text))

    @property
    def as_blocks(self) -> tuple[Object, ...]:
        """Return the blocks, or the text as such where there are none."""
        return self.blocks or tuple(sections(self.text, limits.UPDATE_TEXT))


def sections(text: str, most: int) -> list[Object]:
    """Return a text as sections, cut where a message would be too long."""
    return [section(piece) for piece in in_sections(cut(text, most))]


def texts(part: object) -> Iterator[str]:
    """Give every text that a block shows."""
    match part:
        case dict():
            for key, each in cast("Object", part).items():
                if key == "text" and isinstance(each, str):
                    yield each
                elif key not in {"value", "action_id", "block_id", "type"}:
                    yield from texts(each)
        case list():
            for each in cast("list[object]", part):
                yield from texts(each)
        case _:
            return


def fitted(blocks: list[Object]) -> tuple[Object, ...]:
    """Keep the first blocks and the last ones when there are more than a message takes."""
    if len(blocks) <= limits.BLOCKS:
        return tuple(blocks)
    kept = limits.BLOCKS - 4
    return (*blocks[:kept], *blocks[-4:])
