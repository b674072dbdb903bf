"""Intent by the words of the question alone, for when the model gives none."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping

from core.agent.intent import Intent
from core.agent.step_list import is_stepwise, listed_steps
from core.toolkit.family import Family

_WORDS: dict[Family, str] = {
    Family.EXPLORE: "tables table columns column schema fields structure explore describe contains"
    " sample rows available catalog",
    Family.ANALYZE: "how many much count sum total average mean median top bottom highest lowest"
    " most least share percentage distribution correlation rank ranking revenue sales per by",
    Family.TIME: "trend trends over time monthly weekly daily yearly quarterly growth seasonality"
    " seasonal cumulative moving since month week year quarter development history",
    Family.SEGMENT: "segment segments cohort cohorts funnel retention rfm cluster clusters churn"
    " churned loyal",
    Family.QUALITY: "quality missing nulls null duplicates duplicate outliers outlier anomalies"
    " anomaly stale fresh freshness orphans clean trust",
    Family.REPORT: "report slides presentation deck pdf pptx xlsx excel spreadsheet export"
    " powerpoint",
    Family.COMPARE: "compare comparison versus vs difference differences differ against why"
    " experiment significant lift between",
    Family.PREDICT: "forecast forecasts predict prediction projection project next future drivers"
    " regression scenario",
    Family.META: "you your help capabilities cost usage lineage explain query connections",
    Family.MEMORY: "remember forget define definition recall note remind",
    Family.WORKSPACE: "file csv upload uploaded python dataset datasets save join",
    Family.RESEARCH: "benchmark benchmarks industry web internet news competitor competitors"
    " market",
    Family.CONVERSATIONAL: "hello hi hey thanks thank bye morning joke weather",
}


def _by_word(words: Mapping[Family, str]) -> Mapping[str, list[Family]]:
    found: defaultdict[str, list[Family]] = defaultdict(list)
    for family, text in words.items():
        for word in text.split():
            found[word].append(family)
    return found


_FAMILIES_OF = _by_word(_WORDS)
_STRONG = frozenset(
    {Family.SEGMENT, Family.QUALITY, Family.REPORT, Family.PREDICT, Family.MEMORY, Family.RESEARCH}
)


def by_keywords(question: str) -> Intent:
    """Classify by whole words: "footsteps" asks for no steps, "reporter" for no report."""
    words = re.findall(r"[^\W_]+", question.casefold())
    votes: Counter[Family] = Counter()
    for word in words:
        for family in _FAMILIES_OF.get(word, ()):
            votes[family] += 3 if family in _STRONG else 1
    ranked = [family for family, _ in votes.most_common(3)]
    primary = ranked[0] if ranked else _unspoken(words)
    return Intent(
        primary=primary,
        secondary=tuple(ranked[1:]),
        one_at_a_time=is_stepwise(question),
        steps=listed_steps(question),
    )


def _unspoken(words: list[str]) -> Family:
    # A short follow-up ("only Spain", "and 2025?") goes on with figures.
    return Family.ANALYZE if words else Family.CONVERSATIONAL
