"""Every attack of the corpus on the engine that it is written for, with the guard switched off.

After each of them an administrator looks from outside whether everything is as it was: tables,
rows, files, settings, sequences, logins, prepared transactions, large objects, locks; and whether
anything still runs.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import ClassVar

import pytest
import pytest_asyncio

from core.domain.query import Dialect
from tests.kit.fences.attacks import Outcome, Tried
from tests.kit.fences.stages import Stage, stage
from tests.kit.fences.trial import HONEST

HARMFUL = {Outcome.CHANGED, Outcome.OUTLIVED}


def harm(found: list[Tried]) -> list[str]:
    return [str(each) for each in found if each.outcome in HARMFUL]


@pytest.mark.no_cover
@pytest.mark.asyncio(loop_scope="class")
class Fences:
    """`leaks` are, for each fence that is up alone, the kinds of attacks that change something.

    What it keeps is worth more: all data for a login that may only read, everything but what the
    second statement of a text does for a driver that takes only one.
    """

    dialect: Dialect
    leaks: ClassVar[dict[str, set[str]]]

    @pytest_asyncio.fixture(scope="class", loop_scope="class")
    @classmethod
    async def stage(cls, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
        async with stage(cls.dialect, tmp_path_factory.mktemp("fences")) as opened:
            yield opened

    async def test_all_fences_together_let_no_attack_do_harm(self, stage: Stage):
        found = await stage.with_all_fences()

        assert len(found) == len(stage.attacks) > 40
        assert harm(found) == []
        secrets = stage.world.canaries
        assert [str(e) for e in found if any(canary in e.told for canary in secrets)] == []

    async def test_no_attack_but_a_bomb_gets_past_the_guard(self, stage: Stage):
        found, guarded = await stage.with_guard_and_fences()

        bombs = {stage.world.fitted(each.sql) for each in stage.attacks if each.is_bomb}
        assert set(guarded.reached) - {HONEST} <= bombs
        assert {each.outcome for each in found} <= {Outcome.STOPPED, Outcome.TIMED_OUT}

    async def test_one_fence_alone_stops_what_it_is_made_for(self, stage: Stage):
        for fence, kinds in self.leaks.items():
            found = await stage.with_fence(fence)

            leaked = [each for each in found if each.outcome in HARMFUL]
            others = [each for each in leaked if each.attack.kind not in kinds]
            assert harm(others) == [], fence


@pytest.mark.service
class TestPostgres(Fences):
    dialect = Dialect.POSTGRES
    leaks: ClassVar = {
        "read-only transaction": {
            *("admin", "file_read", "file_write", "os_exec", "stacked", "txn_control"),
            "side_effect_fn",
        },
        "safe role": {"side_effect_fn"},
        "one prepared statement": {
            *("admin", "comment_trick", "cte_dml", "ddl", "dml", "explain_write", "file_read"),
            *("file_write", "identifier_trick", "network", "os_exec", "proc_exec", "select_into"),
            "side_effect_fn",
        },
    }


@pytest.mark.service
class TestMariadb(Fences):
    dialect = Dialect.MYSQL
    leaks: ClassVar = {
        "read-only transaction": {"admin", "comment_trick", "select_into", "session_state"},
        "safe role": set[str](),
        "one statement a text": {
            *("admin", "comment_trick", "ddl", "dml", "explain_write", "proc_exec", "select_into"),
            *("session_state", "side_effect_fn"),
        },
    }


class TestSqlite(Fences):
    dialect = Dialect.SQLITE
    leaks: ClassVar = {
        "read-only file": {"attach", "file_write"},
        "authorizer": set[str](),
        "one statement a text": {
            *("admin", "attach", "comment_trick", "cte_dml", "ddl", "dml", "file_write"),
            *("identifier_trick", "select_into", "session_state"),
        },
    }


class TestDuckDB(Fences):
    dialect = Dialect.DUCKDB
    leaks: ClassVar = {
        "read-only file": {"file_write", "session_state"},
        "locked settings": {
            *("cte_dml", "ddl", "dialect_confusion", "dml", "explain_write", "select_into"),
            *("side_effect_fn", "stacked"),
        },
        "one SELECT a text": {"side_effect_fn"},
    }
