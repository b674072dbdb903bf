"""Questions about what a word means, answered with what the data team has defined."""

from __future__ import annotations

import re
from collections.abc import Sequence

from adapters.models.offline.reading.lemmas import stem
from adapters.models.offline.reading.tokens import tokenize
from core.domain.definitions import Definition, Join, names_of, told

_ASKS = re.compile(
    r"^\W*(?:please\W+)?(?:"
    r"(?:what does|what do you mean by|what counts as|what is meant by|define)\b"
    r"|(?:what is|what's|give me|show(?: me)?)\W+(?:the |our )?definition of\b"
    r"|how (?:is|are)\b.*\b(?:defined|calculated|computed|reckoned)\W*$"
    r"|how do (?:we|you) (?:define|calculate|compute|reckon)\b)",
    re.IGNORECASE,
)


def definition_answer(question: str, definitions: Sequence[Definition]) -> str | None:
    """Return what a word means; None where none is asked for, or nobody has defined it."""
    if not definitions or not _ASKS.search(question):
        return None
    words = _stems(question)
    named = [each for each in definitions if not isinstance(each, Join) and _is_named(each, words)]
    return "\n\n".join(map(_told, named)) or None


def _told(definition: Definition) -> str:
    meaning = "" if isinstance(definition, Join) else definition.meaning
    rest = f" {meaning}" if meaning and meaning != definition.in_words else ""
    return f"{told(definition)}.{rest}"


def _is_named(definition: Definition, words: tuple[str, ...]) -> bool:
    for name in names_of(definition):
        said = _stems(name)
        if any(words[at : at + len(said)] == said for at in range(len(words))):
            return True
    return False


def _stems(text: str) -> tuple[str, ...]:
    return tuple(stem(token.lemma) for token in tokenize(text))
