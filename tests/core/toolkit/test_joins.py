from core.domain.catalog import Catalog, CatalogTable, ForeignKey
from core.domain.query import Dialect
from core.toolkit.joins import Link, join_graph
from tests.kit.shop_catalog import DIMENSION, column, shop_catalog


def table(
    name: str,
    *columns: str,
    key: tuple[str, ...] = (),
    foreign: tuple[ForeignKey, ...] = (),
) -> CatalogTable:
    return CatalogTable(
        name=name,
        columns=tuple(column(each, "INTEGER", DIMENSION) for each in columns),
        primary_key=key,
        foreign_keys=foreign,
    )


def points(column_: str, at: str, to: str = "id") -> ForeignKey:
    return ForeignKey(columns=(column_,), to_table=at, to_columns=(to,))


def catalog_of(*tables: CatalogTable) -> Catalog:
    return Catalog(dialect=Dialect.POSTGRES, tables=tables)


def route(path: tuple[Link, ...]) -> list[str]:
    return [path[0].left, *(link.right for link in path)]


def test_a_foreign_key_is_many_to_one():
    [[link]] = join_graph(shop_catalog()).paths("orders", "customers")

    assert link.declared
    assert (link.many_left, link.many_right) == (True, False)
    assert (link.left_columns, link.right_columns) == (("customer_id",), ("customer_id",))


def test_the_other_way_round_it_is_one_to_many():
    [[link]] = join_graph(shop_catalog()).paths("customers", "orders")

    assert (link.many_left, link.many_right) == (False, True)


def test_a_foreign_key_that_is_the_primary_key_is_one_to_one():
    [[link]] = join_graph(shop_catalog()).paths("support.Refund Reasons", "orders")

    assert (link.many_left, link.many_right) == (False, False)


def test_two_keys_to_the_same_table_are_two_paths():
    graph = join_graph(
        catalog_of(
            table(
                "games",
                "id",
                "home",
                "guest",
                foreign=(points("home", "teams"), points("guest", "teams")),
            ),
            table("teams", "id", key=("id",)),
        )
    )

    assert [path[0].left_columns for path in graph.paths("games", "teams")] == [
        ("home",),
        ("guest",),
    ]


def test_a_path_goes_through_the_table_between():
    graph = join_graph(
        catalog_of(
            table("actors", "id", key=("id",)),
            table("films", "id", key=("id",)),
            table(
                "roles",
                "actor",
                "film",
                foreign=(points("actor", "actors"), points("film", "films")),
            ),
        )
    )

    [path] = graph.paths("actors", "films")
    assert route(path) == ["actors", "roles", "films"]


def test_a_name_stands_in_for_a_key_that_nobody_declared():
    [[link]] = join_graph(shop_catalog()).paths("events", "customers")

    assert not link.declared
    assert (link.many_left, link.many_right) == (None, False)


def test_a_bare_id_is_meant_by_the_name_of_its_table():
    graph = join_graph(
        catalog_of(
            table("companies", "id", key=("id",)),
            table("people", "id", "company_id", "companyid", key=("id",)),
        )
    )

    assert {path[0].left_columns for path in graph.paths("people", "companies")} == {
        ("company_id",),
        ("companyid",),
    }
    assert graph.paths("companies", "people")[0][0].right_columns == ("company_id",)


def test_ids_of_two_tables_are_not_each_other():
    graph = join_graph(
        catalog_of(table("cats", "id", key=("id",)), table("dogs", "id", key=("id",)))
    )

    assert graph.paths("cats", "dogs") == ()


def test_tables_without_any_key_are_joined_by_what_looks_like_one():
    graph = join_graph(
        catalog_of(table("shops", "shop_id", "name"), table("sales", "shop_id", "amount"))
    )

    [[link]] = graph.paths("sales", "shops")
    assert (link.many_left, link.many_right) == (None, None)


def test_two_tables_with_the_same_key_are_linked_once():
    graph = join_graph(
        catalog_of(
            table("users", "user_id", key=("user_id",)),
            table("profiles", "user_id", key=("user_id",)),
        )
    )

    [[link]] = graph.paths("users", "profiles")
    assert (link.many_left, link.many_right) == (False, False)


def test_a_declared_way_is_preferred_to_a_guessed_one_of_the_same_length():
    graph = join_graph(
        catalog_of(
            table(
                "a", "a_id", "b_id", "other", key=("a_id",), foreign=(points("other", "b", "b_id"),)
            ),
            table("b", "b_id", key=("b_id",)),
        )
    )

    [[link]] = graph.paths("a", "b")
    assert link.declared
