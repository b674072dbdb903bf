"""A name that the model made up is put right on every engine, and no hidden name is told for it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import pytest
import pytest_asyncio

from adapters.inmemory.surface import InMemorySurface
from bot.asking import Addressed, Asked, ask
from bot.bootstrap import App, open_app
from bot.settings import Settings
from core.domain.ids import ConnectionName, ThreadId
from tests.core.agent.test_corrections import in_duckdb, in_sqlite
from tests.kit.bad_models import Model, calling, query, said
from tests.kit.openai_server import OpenAIServer
from tests.kit.openai_wire import Reply
from tests.kit.servers import mariadb_database, postgres_database

ENGINES = ("sqlite", "duckdb", "postgres", "mariadb")
HIDDEN = "revenue_usd_internal"
SCHEMA = (
    f"CREATE TABLE sales (sale_id INTEGER PRIMARY KEY, rev_usd DECIMAL(10, 2), {HIDDEN} INTEGER)",
    "INSERT INTO sales VALUES (1, 10.50, 990011), (2, 20.25, 990022), (3, 5.00, 990033)",
)
RIGHT = "SELECT SUM(rev_usd) AS revenue FROM sales"
MADE_UP = "SELECT SUM(made_up_{}) FROM sales"
ANSWER = "Revenue was 35.75."
# Nearer to what is hidden than to what is not.
WRONG = (
    "SELECT SUM(revenue_usd_interna) FROM sales",
    "SELECT SUM(s.revenue_usd_interna) FROM sales AS s",
    "SELECT SUM(rev_usd) FROM sales WHERE revenue_usd_interna > 1",
    "SELECT SUM(revenue_usd_interna) FROM (SELECT * FROM sales) AS t",
    "SELECT revenue_usd_interna FROM sales ORDER BY revenue_usd_interna",
)


@pytest.fixture(scope="module")
def urls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    folder = tmp_path_factory.mktemp("sales")
    with ExitStack() as servers:
        yield {
            "sqlite": in_sqlite(folder / "sales.sqlite", SCHEMA),
            "duckdb": in_duckdb(folder / "sales.duckdb", SCHEMA),
            "postgres": servers.enter_context(postgres_database(*SCHEMA)),
            "mariadb": servers.enter_context(mariadb_database(*SCHEMA)),
        }


@dataclass(frozen=True, slots=True)
class Product:
    app: App
    server: OpenAIServer

    async def ask(self, engine: str, *steps: Reply) -> Asked:
        self.server.respond = Model(steps).playing()
        self.server.requests.clear()
        return await ask(
            self.app,
            "What was the revenue?",
            surface=InMemorySurface(),
            decide=lambda _: None,
            to=Addressed(thread=ThreadId(engine), connection=ConnectionName(engine)),
        )

    @property
    def told(self) -> str:
        """Return all that the model was told."""
        return " ".join(request.raw.decode() for request in self.server.requests)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def product(
    urls: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Product]:
    rights = {"hide": [f"sales.{HIDDEN}"]}
    async with OpenAIServer() as server:
        settings = Settings.model_validate(
            {
                "state_dir": tmp_path_factory.mktemp("state"),
                "model": {"provider": "openai_protocol", "base_url": server.url, "model": "m"},
                "connections": {name: {"url": url, "rights": rights} for name, url in urls.items()},
                "limits": {"questions_per_minute": 1e6, "burst": 1000},
            }
        )
        async with open_app(settings) as app:
            yield Product(app, server)


def shown(asked: Asked) -> str:
    view = asked.view
    steps = " ".join(step.summary for step in view.steps)
    return f"{view.answer} {view.failure} {steps}"


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("engine", ENGINES)
async def test_a_made_up_column_is_put_right_and_no_hidden_one_is_named(
    product: Product, engine: str, wrong: str
):
    asked = await product.ask(engine, calling(query(wrong)), calling(query(RIGHT)), said(ANSWER))

    assert asked.view.answer is not None
    assert asked.view.answer.text == ANSWER
    assert asked.view.answer.warnings == ()
    assert "rev_usd" in product.told
    assert HIDDEN not in product.told
    assert "9900" not in product.told
    assert "interna" not in shown(asked)


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("engine", ENGINES)
async def test_another_made_up_column_each_time_is_not_borne_for_long(
    product: Product, engine: str
):
    wrong = [calling(query(MADE_UP.format(at))) for at in range(15)]

    asked = await product.ask(engine, *wrong)

    assert len(product.server.requests) <= 7
    assert "made_up" not in shown(asked)
    assert asked.view.answer is not None
    assert "35.75" in asked.view.answer.text
    assert asked.view.answer.warnings[0].startswith("The model wrote no answer. The offline")
