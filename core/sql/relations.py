"""Which relations a statement may read: the catalog's, and never an engine's own."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from sqlglot import exp

from core.domain.catalog import Catalog, CatalogTable
from core.domain.names import unknown_name
from core.domain.query import Dialect
from core.sql.verdict import Refused

# Views of the standard that only describe tables; the rest of an engine's own schemas tells of
# accounts, settings, other people's queries or the text of programs.
_DESCRIBING = frozenset(
    {
        "columns",
        "constraint_column_usage",
        "key_column_usage",
        "referential_constraints",
        "schemata",
        "table_constraints",
        "tables",
    }
)
_DESCRIBING_ALONE = frozenset({"sqlite_master", "sqlite_schema"})

# Schemas and databases that engines keep for themselves. They are refused under every dialect:
# a statement that was written for another engine is not let through for being misread.
_SYSTEM_SCHEMAS = frozenset(
    {
        "account_usage",
        "data_sharing_usage",
        "information_schema",
        "master",
        "msdb",
        "mysql",
        "organization_usage",
        "performance_schema",
        "pg_catalog",
        "pg_internal",
        "pg_toast",
        "reader_account_usage",
        "snowflake",
        "sys",
        "system",
        "tempdb",
    }
)
_FILE_FORMATS = frozenset(
    {"avro", "binaryfile", "csv", "delta", "iceberg", "json", "orc", "parquet", "text", "xml"}
)
_OWN_NAMES = re.compile(
    r"""
    (pg_|sqlite_|pragma_|duckdb_|svv_|svl_|stl_|stv_|svcs_|innodb_|dba_|cdb_|logstdby_|dm_).*
    | .*\$.*
    | \#.*
    | seq_\d+_to_\d+(_step_\d+)?
    | sys(objects|columns|users|logins|databases|processes|comments|configures|servers|permissions
         |members|files|messages|xlogins|protects|lockinfo|perfinfo|cacheobjects|jobs|oledbusers
         |remotelogins|indexes|types)
    | sys_(query|load|unload|serverless|external|connection|session|userlog|transaction|stream
          |procedure|integration|auto|analyze|copy|vacuum|datashare|mv|restore|schema|spectrum).*
    | (all|user)_(tables|tab_.*|views|users|objects|source|triggers|procedures|db_links|credentials
          |constraints|cons_columns|synonyms|sequences|role_privs|sys_privs|jobs|scheduler_.*
          |directories|errors|arguments|dependencies|mviews|indexes|types|recyclebin|audit.*)
    | dbstat | bytecode | tables_used | completion | fsdir | zipfile
    """,
    re.VERBOSE,
)
# DuckDB reads a variable of the host program where no table has that name.
_DATA_FRAME = re.compile(r"df|.*_df|df_.*")
_NO_TABLE_NAME = re.compile(r"[/\\:?@~<>|;'\"`\x00-\x1f]|^\s|\s$|^\*|\*(?!$)")
_FILE_ENDING = re.compile(
    r"\.(csv|tsv|txt|json|jsonl|ndjson|geojson|parquet|pq|xls|xlsx|db|sqlite|sqlite3|duckdb|ddb|gz"
    r"|bz2|zst|zip|tar|orc|avro|arrow|feather|ipc|log|sql|xml|yaml|yml|conf|env|ini|pem|key)$"
)


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation as the query names it, and as the catalog does where it has it."""

    name: str
    known_as: str


@dataclass(frozen=True, slots=True)
class Relations:
    """Judges names; without a catalog everything but existence."""

    dialect: Dialect
    catalog: Catalog | None
    _by_name: dict[str, list[CatalogTable]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        found: dict[str, list[CatalogTable]] = {}
        for table in self.catalog.tables if self.catalog else ():
            found.setdefault(table.name.casefold(), []).append(table)
        object.__setattr__(self, "_by_name", found)

    def check(self, table: exp.Table) -> Relation:
        """Return what a name in FROM reads.

        Raises:
            Refused
        """
        parts = parts_of(table)
        name = ".".join(parts)
        if table.this.args.get("temporary") or table.this.args.get("global_"):
            raise Refused("relation.system", f"Temporary tables (#{name}) are not read here.")
        found = self.find(parts) if self.catalog is not None else None
        if found is not None:
            return Relation(name, known_as=found.qualified_name)
        if _describes_tables(parts):
            return Relation(name, known_as=name)
        self._refuse_by_name(parts)
        if self.catalog is not None:
            raise Refused("relation.unknown", self._unknown(name, parts[-1]))
        return Relation(name, known_as=name)

    def find(self, parts: tuple[str, ...]) -> CatalogTable | None:
        """Find the table of the catalog that the engine would read under these names."""
        named = self._by_name.get(parts[-1].casefold(), [])
        fitting = [each for each in named if self._fits(each, parts[:-1])]
        exact = [each for each in fitting if each.name == parts[-1]]
        return next(iter(exact or fitting), None)

    def _fits(self, table: CatalogTable, qualifiers: tuple[str, ...]) -> bool:
        """Hold every qualifier: another schema's table of the same name is another table."""
        given = [each.casefold() for each in qualifiers]
        schema = [each for each in table.schema.casefold().split(".") if each]
        if not schema:
            return not given or self._is_default(given)
        if len(given) > len(schema):
            return self.dialect in _ONE_DATABASE and given[1:] == schema
        return bool(given) and schema[len(schema) - len(given) :] == given

    def _is_default(self, given: list[str]) -> bool:
        own = self.catalog.default_schema.casefold() if self.catalog else ""
        defaults = {own} if own else _DEFAULT_SCHEMAS.get(self.dialect, frozenset[str]())
        in_own_database = len(given) == 1 or self.dialect in _ONE_DATABASE
        return in_own_database and len(given) <= _MOST_PARTS and given[-1] in defaults

    def _unknown(self, name: str, last: str) -> str:
        elsewhere = self._by_name.get(last.casefold(), [])
        if elsewhere:
            names = ", ".join(each.qualified_name for each in elsewhere)
            return f"There is no table {name!r}. Write it as the catalog does: {names}."
        known = (each.qualified_name for each in self.catalog.tables) if self.catalog else ()
        return unknown_name("table", name, known)

    def _refuse_by_name(self, parts: tuple[str, ...]) -> None:
        name = ".".join(parts)
        for part in parts:
            if _NO_TABLE_NAME.search(part) or (part.endswith("*") and not self._may_have_star):
                raise Refused(
                    "relation.file",
                    f"{name!r} is no table name: files, stages, links and patterns are not read. "
                    "Use a table of the connection.",
                )
        if _FILE_ENDING.search(name.lower()):
            raise Refused(
                "relation.file", f"{name!r} looks like a file. Use a table of the connection."
            )
        if self._is_system(parts):
            raise Refused(
                "relation.system",
                f"{name!r} belongs to the database system and is not read here. Use the tables of "
                "the connection; list_tables and get_schema describe them.",
            )

    @property
    def _may_have_star(self) -> bool:
        return self.dialect is Dialect.BIGQUERY

    def _is_system(self, parts: tuple[str, ...]) -> bool:
        lower = [each.lower() for each in parts]
        before = set(lower[:-1])
        if before & _SYSTEM_SCHEMAS or any(each.startswith("pg_") for each in before):
            return True
        if len(parts) == 2 and before & _FILE_FORMATS:
            return True
        return (
            len(parts) > _MOST_PARTS
            or _DATA_FRAME.fullmatch(lower[-1]) is not None
            or is_system_name(lower[-1])
        )


_MOST_PARTS = 3
_ONE_DATABASE = {Dialect.POSTGRES, Dialect.DUCKDB}
_DEFAULT_SCHEMAS = {
    Dialect.POSTGRES: frozenset({"public"}),
    Dialect.REDSHIFT: frozenset({"public"}),
    Dialect.SQLITE: frozenset({"main"}),
    Dialect.DUCKDB: frozenset({"main"}),
    Dialect.TSQL: frozenset({"dbo"}),
    Dialect.SNOWFLAKE: frozenset({"public"}),
    Dialect.CLICKHOUSE: frozenset({"default"}),
}


def is_system_name(name: str) -> bool:
    """Say whether engines keep a name (in lower letters) for relations of their own."""
    return _OWN_NAMES.fullmatch(name) is not None


def parts_of(table: exp.Table) -> tuple[str, ...]:
    """Return the names that qualify a relation, outermost first, its own last."""
    names = [part for part in (table.catalog, table.db, table.name) if part]
    # BigQuery's parser keeps `INFORMATION_SCHEMA.TABLES` together as one name.
    head, dot, view = names[-1].partition(".")
    if dot and head.lower() == "information_schema":
        names[-1:] = [head, view]
    return tuple(names)


def _describes_tables(parts: tuple[str, ...]) -> bool:
    lower = [each.lower() for each in parts]
    if len(lower) == 1:
        return lower[0] in _DESCRIBING_ALONE
    if lower[-2] == "main" and lower[-1] in _DESCRIBING_ALONE:
        return True
    rest = set(lower[:-2])
    return (
        lower[-2] == "information_schema"
        and lower[-1] in _DESCRIBING
        and not (rest & _SYSTEM_SCHEMAS)
    )
