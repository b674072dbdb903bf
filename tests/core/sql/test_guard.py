import pytest
from sqlglot import exp, parse_one

from core.domain.catalog import Catalog, CatalogTable
from core.domain.errors import NotPossible
from core.domain.query import Dialect, GuardedQuery, Query
from core.sql.guard import Guard
from tests.kit.shop_catalog import MEASURE, column, shop_catalog


@pytest.fixture
def guard() -> Guard:
    return Guard(catalog=shop_catalog())


def test_gives_what_would_run_with_its_relations_and_functions(guard: Guard):
    verdict = guard.judge("select sum(o.amount) from orders o -- all of it", max_rows=10)

    assert verdict.allowed
    assert verdict.sql == "SELECT SUM(o.amount) FROM orders AS o LIMIT 11"
    assert verdict.relations == ("orders",)
    assert verdict.functions == ("sum",)
    assert verdict.query is not None
    assert verdict.hash == verdict.query.hash


def test_check_raises_advice_for_what_is_refused(guard: Guard):
    with pytest.raises(NotPossible, match=r"no table 'order'.*orders"):
        guard.check('SELECT * FROM "order"', max_rows=1)


def test_takes_a_tree_that_a_tool_built(guard: Guard):
    query = Query(exp.select("status").from_("orders"))

    assert guard.check(query, max_rows=5).sql == "SELECT status FROM orders LIMIT 6"
    assert query.sql("postgres") == "SELECT status FROM orders"


def test_a_tree_is_judged_like_a_text(guard: Guard):
    tree = parse_one("SELECT pg_sleep(1)", dialect="postgres")
    assert isinstance(tree, exp.Query)

    assert guard.judge(Query(tree)).rule == "function"


def test_only_the_guard_makes_a_guarded_query():
    with pytest.raises(TypeError, match="only core"):
        GuardedQuery(
            sql="SELECT 1",
            dialect=Dialect.SQLITE,
            relations=(),
            seal=object(),  # pyright: ignore[reportArgumentType] -- what the check is for
        )


def test_the_same_text_is_judged_once(guard: Guard):
    assert guard.judge("SELECT 1") is guard.judge("SELECT 1")
    assert guard.judge("SELECT 1") is not guard.judge("SELECT 1", max_rows=3)


@pytest.mark.parametrize(
    ("sql", "rule"),
    [
        ("", "one-statement"),
        ("   -- nothing", "one-statement"),
        (";", "one-statement"),
        ("SELECT (", "syntax"),
        ("SELECT 1; SELECT 2", "one-statement"),
        ("SELECT * FROM", "syntax"),
        ("how many orders are there?", "syntax"),
        ("DELETE FROM orders", "not-a-query"),
        ("SELECT * FROM orders FOR UPDATE", "lock"),
        ("SELECT * INTO x FROM orders", "into"),
        ("SELECT * FROM pg_shadow", "relation.system"),
        ("SELECT * FROM information_schema.role_table_grants", "relation.system"),
        ("SELECT * FROM nowhere", "relation.unknown"),
        ("SELECT my_function(1)", "function"),
        ("SELECT public.lower('x')", "function"),
        ("SELECT * FROM my_function(1)", "function"),
        ("SELECT 'x'::my_domain", "cast"),
        ("SELECT 'orders'::regclass", "cast"),
        ("SELECT $1", "variable"),
        ("SELECT :name", "placeholder"),
        ("SELECT current_user", "function.session"),
        ("SELECT o.nextval FROM orders o", "sequence"),
        ("SELECT a OPERATOR(public.===) b FROM orders", "operator"),
        ("SELECT repeat('x', 1000000)", "size.count"),
        ("SELECT count(*) FROM orders, customers, events", "size.cross-join"),
    ],
)
def test_names_the_rule_that_refuses(guard: Guard, sql: str, rule: str):
    verdict = guard.judge(sql)

    assert not verdict.allowed
    assert verdict.rule == rule, verdict.reason
    assert verdict.sql == ""
    assert verdict.hash is None


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("SELECT * FROM ordrs", "orders"),
        ("SELECT o.amont FROM orders o", "amount"),
        ("SELECT x.amount FROM orders o", "There is no table or alias 'x'"),
        ("SELECT pg_read_file('x')", "pg_read_file()"),
        ("SELECT * FROM 'x.parquet'", "x.parquet"),
        ('SELECT * FROM "Refund Reasons"', "support.Refund Reasons"),
    ],
)
def test_a_refusal_names_what_it_is_about(guard: Guard, sql: str, words: str):
    verdict = guard.judge(sql)

    assert not verdict.allowed
    assert words in verdict.reason


def test_says_near_what_a_text_cannot_be_read(guard: Guard):
    verdict = guard.judge("SELECT a FROM orders WHERE ORDER BY a )")

    assert verdict.rule == "syntax"
    assert "line 1" in verdict.reason
    assert "postgres" in verdict.reason


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM orders LIMIT 5;",
        'SELECT "Country Name" FROM customers',
        'SELECT r."select" FROM support."Refund Reasons" r JOIN orders o USING (order_id)',
        "SELECT * FROM public.orders",
        "SELECT * FROM Orders",
        "WITH orders AS (SELECT 1 AS a) SELECT a FROM orders",
        "SELECT total FROM daily_totals",
        "SELECT o.ctid FROM orders o",
    ],
)
def test_lets_through_what_the_catalog_has(guard: Guard, sql: str):
    assert guard.judge(sql).allowed, guard.judge(sql).reason


@pytest.mark.parametrize(
    "sql",
    [
        # PostgreSQL calls a function on the row where the table has no such column.
        "SELECT c.wipe FROM customers c",
        "SELECT customers.wipe FROM customers",
        "SELECT (c).wipe FROM customers c",
        "SELECT c.wipe FROM customers c, (SELECT 1) x WHERE EXISTS (SELECT 1 FROM (SELECT 1) c)",
        "SELECT (SELECT c.wipe) FROM customers c",
    ],
)
def test_refuses_functions_that_are_spelled_like_columns(guard: Guard, sql: str):
    assert not guard.judge(sql).allowed


def test_counts_every_reading_of_a_relation(guard: Guard):
    verdict = guard.judge(
        "WITH c AS (SELECT * FROM customers) SELECT 1 FROM c JOIN orders o ON o.customer_id ="
        " c.customer_id JOIN public.orders p ON p.order_id = o.order_id"
    )

    assert sorted(verdict.reads) == ["customers", "orders", "orders"]
    assert verdict.relations == ("customers", "orders", "public.orders")
    assert not verdict.makes_rows


def test_without_a_catalog_only_existence_is_not_judged():
    guard = Guard.without_catalog(Dialect.MYSQL)

    assert guard.judge("SELECT a FROM anything WHERE b > 1").allowed
    assert guard.judge("SELECT * FROM mysql.user").rule == "relation.system"


def test_an_administrator_may_vouch_for_a_function():
    guard = Guard(catalog=shop_catalog(), extra_functions=frozenset({"Fiscal_Year"}))

    assert guard.judge("SELECT fiscal_year(ordered_at) FROM orders").allowed
    assert not Guard(catalog=shop_catalog()).judge("SELECT fiscal_year(now())").allowed


def test_a_table_of_the_catalog_may_have_any_name():
    names = ("a/b.csv", "pg_own", "sys$data", "df", "naïve 名", 'quote"d')
    tables = tuple(CatalogTable(name=each, columns=()) for each in names)
    guard = Guard(catalog=Catalog(dialect=Dialect.DUCKDB, tables=tables))

    for name in names:
        query = Query(exp.select("*").from_(exp.table_(name, quoted=True)))
        assert guard.judge(query).allowed


def test_narrowing_to_a_schema_is_not_undone_by_an_unqualified_name():
    hr = CatalogTable(name="people", schema="hr", columns=(column("a", "INT", MEASURE),))
    guard = Guard(catalog=Catalog(dialect=Dialect.POSTGRES, tables=(hr,)))

    assert guard.judge("SELECT * FROM hr.people").allowed
    assert not guard.judge("SELECT * FROM people").allowed
    assert not guard.judge("SELECT * FROM public.people").allowed
    assert "hr.people" in guard.judge("SELECT * FROM people").reason


@pytest.mark.parametrize(
    ("dialect", "sql", "allowed"),
    [
        (Dialect.SQLITE, "SELECT * FROM main.orders", True),
        (Dialect.SQLITE, "SELECT * FROM temp.orders", False),
        (Dialect.TSQL, "SELECT * FROM dbo.orders", True),
        (Dialect.TSQL, "SELECT * FROM other.dbo.orders", False),
        (Dialect.POSTGRES, "SELECT * FROM anydb.public.orders", True),
        (Dialect.MYSQL, "SELECT * FROM shop.orders", True),
        (Dialect.MYSQL, "SELECT * FROM other.orders", False),
        (Dialect.SNOWFLAKE, "SELECT * FROM PUBLIC.ORDERS", True),
        (Dialect.SNOWFLAKE, "SELECT * FROM OTHER_DB.PUBLIC.ORDERS", False),
    ],
)
def test_qualifiers_have_to_mean_the_connections_own_table(
    dialect: Dialect, sql: str, *, allowed: bool
):
    tables = (CatalogTable(name="orders", columns=()),)
    schema = "shop" if dialect is Dialect.MYSQL else ""
    guard = Guard(catalog=Catalog(dialect=dialect, tables=tables, default_schema=schema))

    assert guard.judge(sql).allowed is allowed
