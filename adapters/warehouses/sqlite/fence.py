"""What a query may do inside SQLite, whatever its text says."""

import sqlite3
from collections.abc import Callable

AuthorizerCallback = Callable[[int, str | None, str | None, str | None, str | None], int]

_INNOCUOUS = 0x200000  # SQLITE_INNOCUOUS: says that a function has no side effect and tells nothing
_ALSO_FINE = ("->", "->>", "match", "bm25", "highlight", "snippet")
_LEFT_OUT = ("sqlite_", "load_", "changes", "total_changes", "last_insert_rowid", "randomblob")
_CATALOG_PRAGMAS = (
    *("table_xinfo", "foreign_key_list", "index_list", "index_info"),
    "page_count",
)
_FIGURES = ("data_version", "page_size")
_LONGEST_VALUE = 64 * 1024 * 1024
_LONGEST_SQL = 1024 * 1024


class FencedConnection(sqlite3.Connection):
    """A connection that, once fenced, reads its own database and does nothing else.

    `catalog_open` lets the next statements read keys and columns through pragma functions too.
    """

    catalog_open: bool = False

    def fence(self) -> AuthorizerCallback:
        """Set the limits, and return the rule that an authorizer has to apply."""
        self.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        self.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE)
        self.setlimit(sqlite3.SQLITE_LIMIT_SQL_LENGTH, _LONGEST_SQL)
        self.setlimit(sqlite3.SQLITE_LIMIT_WORKER_THREADS, 0)
        functions = harmless_functions()

        def allows(action: int, first: str | None, second: str | None, *_: str | None) -> int:
            match action:
                case sqlite3.SQLITE_SELECT | sqlite3.SQLITE_READ | sqlite3.SQLITE_RECURSIVE:
                    allowed = True
                case sqlite3.SQLITE_FUNCTION:
                    allowed = (second or "").casefold() in functions
                case sqlite3.SQLITE_UPDATE:
                    # Asked when a table function is first used; a real update of it never works.
                    allowed = first == "sqlite_master"
                case sqlite3.SQLITE_PRAGMA:
                    # Full-text tables ask for two of the file's own figures.
                    figure = second is None and first in _FIGURES
                    allowed = figure or (self.catalog_open and first in _CATALOG_PRAGMAS)
                case _:
                    allowed = False
            return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY

        return allows


def harmless_functions() -> frozenset[str]:
    """Return the built-in functions that only compute, as this build of SQLite lists them."""
    connection = sqlite3.connect(":memory:")
    try:
        rows = connection.execute("SELECT name, flags FROM pragma_function_list WHERE builtin")
        found = {str(name) for name, flags in rows if flags & _INNOCUOUS or "json" in str(name)}
    finally:
        connection.close()
    return frozenset({*(n for n in found if not n.startswith(_LEFT_OUT)), *_ALSO_FINE})
