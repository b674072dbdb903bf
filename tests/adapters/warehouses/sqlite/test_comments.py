import sqlite3
from contextlib import closing
from pathlib import Path

from adapters.warehouses.opening import open_warehouse

CREATE = """CREATE TABLE orders ( -- what was sold
  id INTEGER PRIMARY KEY, -- number of the order
  "net amount" DECIMAL(10, 2) DEFAULT -1, /* in euros,
     without tax */
  -- p: paid, o: open
  status TEXT CHECK (status IN ('--', 'p', 'o')), a INT, b INT, -- the last of two
  day TEXT NOT NULL -- UTC -- always
  , "odd -- name" TEXT
  , plain TEXT, UNIQUE (id, day) -- of no column
)"""


async def test_comments_of_the_definition_describe_columns(tmp_path: Path):
    with closing(sqlite3.connect(tmp_path / "shop.sqlite")) as database:
        database.execute(CREATE)
    warehouse = await open_warehouse(str(tmp_path / "shop.sqlite"))

    orders = (await warehouse.inspect()).table("orders")
    await warehouse.close()

    assert orders is not None
    assert orders.comment == "what was sold"
    assert {column.name: column.comment for column in orders.columns} == {
        "id": "number of the order",
        "net amount": "in euros, without tax",
        "status": "p: paid, o: open",
        "a": "",
        "b": "the last of two",
        "day": "UTC -- always",
        "odd -- name": "",
        "plain": "",
    }
