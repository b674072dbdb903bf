"""Filters on one writing of a word of which the column has others, too: high, HIGH."""

from __future__ import annotations

from collections.abc import Iterator

from core.reviewer.ran import Ran
from core.reviewer.remark import Remark
from core.reviewer.spelling import asked_of, known_variants


def other_writings(ran: Ran) -> Iterator[Remark]:
    """Find words that some rows write in another letter case, so that those are left out."""
    asked = list(asked_of(ran))
    words = {(each.column.name, each.word) for each in asked}
    for each in asked:
        left = [word for word in known_variants(each) if (each.column.name, word) not in words]
        if left and each.word in each.column.values:
            written = " and ".join(map(repr, left[:3]))
            yield Remark(
                f"{each.column.name} has {written} as well as {each.word!r}, and those rows are"
                " left out: letter case and blanks count.",
                for_reader=True,
            )
            return
