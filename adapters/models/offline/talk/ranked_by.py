"""By what to rank where a question does not say: one figure, or the person's choice of several."""

from __future__ import annotations

from adapters.models.offline.form.interpret import Understanding
from adapters.models.offline.form.ranking import Choice, choices, needs_ranking
from adapters.models.offline.form.world import World
from adapters.models.offline.talk.moves import Ask, ask
from adapters.models.offline.talk.situation import Situation, ToolAnswer

CLARIFY = "ask_clarification"
RANKED_BY = "By what should they be ranked?"


def ranking_choice(
    situation: Situation, understanding: Understanding, world: World
) -> Choice | Ask | None:
    """Ask by what to rank where several figures are equally good; go on where one is."""
    best = understanding.best
    if best is None or not needs_ranking(understanding.sketch):
        return None
    found = choices(understanding.sketch, best.reading, world)
    if len(found) < 2:
        return found[0] if found else None
    asked = [each for each in situation.answers_of(CLARIFY) if each.text("question") == RANKED_BY]
    if asked:
        return _chosen(found, asked[-1])
    if not situation.offers(CLARIFY):
        return found[0]
    return ask(
        CLARIFY,
        question=RANKED_BY,
        options=[choice.words[:75] for choice in found],
    )


def _chosen(found: tuple[Choice, ...], answer: ToolAnswer) -> Choice:
    said = answer.finding.lower()
    named = [choice for choice in found if choice.words.lower() in said]
    if named:
        return named[0]
    words = set(said.split())
    return max(found, key=lambda choice: len(words & set(choice.words.lower().split())))
