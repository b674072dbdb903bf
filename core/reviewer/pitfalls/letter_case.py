"""Filters that found nothing because the rows write the word otherwise."""

from __future__ import annotations

from collections.abc import Iterator

from core.reviewer.ran import Ran
from core.reviewer.remark import Remark
from core.reviewer.spelling import asked_words, known_variants, near_values, never_equal


def letter_case(ran: Ran) -> Iterator[Remark]:
    """Find words that the values have in another letter case, or nearly."""
    yield from never_equal(ran)
    for asked in asked_words(ran):
        remark = asked.remark(known_variants(asked))
        if remark is not None:
            yield remark
            continue
        near = near_values(asked)
        if near and not known_variants(asked):
            values = " and ".join(map(repr, near))
            yield Remark(
                f"{asked.column.name} has no {asked.word!r}; it has {values}.", for_reader=True
            )
