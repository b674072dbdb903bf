"""Questions about the answer before: what ran for it, and why its figure is what it is."""

from __future__ import annotations

import re

_SQL = re.compile(
    r"\W*(?:and\s+)?(?:(?:please|can you|could you|now)\s+)*"
    r"(?:show|give|print|display|what(?:'s| is| was)|see|which)(?: (?:me|us))?\s+"
    r"(?:the |that |your |its )?(?:exact )?(?:sql|query|queries|statements?)"
    r"(?: (?:used|behind (?:it|that|this)|did you (?:use|run)|you (?:used|ran)|please"
    r"|for (?:it|that|this)|code|again))*\W*|\W*(?:the )?sql(?: please| query)?\W*",
    re.IGNORECASE,
)
_WHY = re.compile(
    r"\W*(?:and|but)?\W*(?:why|how come|what is the reason|what(?:'s| is) behind (?:it|that|this))"
    r"(?: (?:is|was|are|were) (?:it|that|this|they)(?: (?:so|like) (?:high|low|that|this))?"
    r"| (?:so|that) (?P<how>high|low)?| (?:did|has|have) (?:it|that|this|they)"
    r" (?:(?P<down>fall|fallen|drop|dropped|decline|declined|decrease|go down)"
    r"|(?P<up>rise|risen|increase|increased|grow|grown|go up)|change|changed)"
    r"| (?:the )?(?:change|difference))?(?P<tail>(?: (?:in|for|during|since|from)\b.*)?)\W*",
    re.IGNORECASE,
)
LONGEST = 200


def asks_for_sql(question: str) -> bool:
    return len(question) <= LONGEST and _SQL.fullmatch(question) is not None


def asks_why(question: str) -> tuple[bool | None, str] | None:
    """Return whether it fell, as far as that was said, and the period; None for other questions."""
    found = _WHY.fullmatch(question) if len(question) <= LONGEST else None
    if found is None:
        return None
    falls = True if found["down"] else False if found["up"] else None
    return falls, found["tail"].strip()
