"""The guard against whole collections of statements: nothing hostile in, nothing honest out."""

from functools import cache

import pytest

from core.domain.query import Dialect
from core.sql.guard import Guard
from tests.kit.statements import ATTACKS, GOLDS, HONEST, MORE_ATTACKS, MORE_HONEST, Sample

KINDS = sorted({each.kind for each in ATTACKS})


@cache
def guard(dialect: Dialect) -> Guard:
    return Guard.without_catalog(dialect)


def let_through(samples: tuple[Sample, ...], dialect: Dialect | None = None) -> list[str]:
    return [each.sql for each in samples if guard(dialect or each.dialect).judge(each.sql).allowed]


def refused(samples: tuple[Sample, ...]) -> list[str]:
    verdicts = [(each, guard(each.dialect).judge(each.sql)) for each in samples]
    return [f"{v.rule}: {v.reason} | {each.sql}" for each, v in verdicts if not v.allowed]


@pytest.mark.parametrize("kind", KINDS)
def test_no_attack_of_a_kind_is_let_through(kind: str):
    assert not let_through(tuple(each for each in ATTACKS if each.kind == kind))


@pytest.mark.parametrize("dialect", list(Dialect))
def test_no_attack_is_let_through_for_being_read_as_another_engine(dialect: Dialect):
    assert not let_through(ATTACKS, dialect)


@pytest.mark.parametrize("dialect", list(Dialect))
def test_no_further_attack_on_an_engine_is_let_through(dialect: Dialect):
    assert not let_through(tuple(each for each in MORE_ATTACKS if each.dialect == dialect))


@pytest.mark.parametrize("source", sorted({each.kind for each in HONEST}))
def test_every_honest_query_of_a_source_is_let_through(source: str):
    assert not refused(tuple(each for each in HONEST if each.kind == source))


@pytest.mark.parametrize("dialect", list(Dialect))
def test_what_analysts_write_for_an_engine_is_let_through(dialect: Dialect):
    assert not refused(tuple(each for each in MORE_HONEST if each.dialect == dialect))


@pytest.mark.parametrize("dialect", [Dialect.SQLITE, Dialect.POSTGRES])
def test_every_right_answer_of_the_accuracy_set_is_let_through(dialect: Dialect):
    assert not refused(tuple(each for each in GOLDS if each.dialect == dialect))


@pytest.mark.parametrize("sample", [*HONEST, *MORE_HONEST, *GOLDS], ids=lambda s: s.dialect.value)
def test_what_would_run_is_judged_the_same_and_written_the_same(sample: Sample):
    first = guard(sample.dialect).judge(sample.sql)

    second = guard(sample.dialect).judge(first.sql)

    assert second.allowed, second.reason
    assert written(second.sql) == written(first.sql)
    assert second.reads == first.reads


def written(sql: str) -> str:
    """Leave out case, blanks and quotes, in which the parser is not always of one mind."""
    return sql.casefold().replace("`", "").replace(" ", "")


def test_every_refusal_says_what_and_what_to_do_in_a_sentence():
    for sample in ATTACKS:
        verdict = guard(sample.dialect).judge(sample.sql)
        assert verdict.rule
        assert verdict.reason.endswith((".", "?"))
        assert 20 < len(verdict.reason) < 400, verdict.reason
        assert verdict.person.endswith(".")
        assert "\x1b" not in verdict.reason
