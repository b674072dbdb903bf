import sqlite3
from contextlib import closing
from pathlib import Path

from bot.bootstrap import open_app
from bot.settings import Settings
from core.domain.ids import ConnectionName


async def test_a_database_of_ones_own_that_is_called_demo_is_not_written_to(tmp_path: Path):
    own = tmp_path / "own.sqlite"
    with closing(sqlite3.connect(own)) as database:
        database.execute("CREATE TABLE payroll (id INTEGER PRIMARY KEY, wage NUMERIC)")
        database.commit()
    before = own.read_bytes()
    settings = Settings.model_validate(
        {"state_dir": tmp_path / "state", "connections": {"demo": {"url": str(own)}}}
    )

    async with open_app(settings) as app:
        opened = await app.outside.connections.get(ConnectionName("demo"))

    assert [table.name for table in opened.catalog.tables] == ["payroll"]
    assert own.read_bytes() == before
