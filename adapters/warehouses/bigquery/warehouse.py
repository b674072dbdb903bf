"""BigQuery as a warehouse: one project, or one dataset of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any

from adapters.warehouses.bigquery.catalog import cut, tables_of
from adapters.warehouses.bigquery.engine import BigQueryEngine, Client
from adapters.warehouses.bigquery.plan import estimate_of
from adapters.warehouses.location import ServerLocation
from adapters.warehouses.sql_warehouse import Ways
from adapters.warehouses.threads.driver import load
from adapters.warehouses.threads.warehouse import ThreadWarehouse
from core.domain.connection import Limits
from core.domain.query import Dialect

_LOCATION = "US"


def open_bigquery(location: ServerLocation, limits: Limits) -> ThreadWarehouse:
    """Open a project; jobs run and are paid for in it.

    The login is that of the environment (Application Default Credentials), or the service account
    whose key file `credentials_path` names.
    """
    driver = load("google.cloud.bigquery", extra="bigquery", engine="BigQuery")
    errors = load("google.api_core.exceptions", extra="bigquery", engine="BigQuery")
    login = load("google.auth.exceptions", extra="bigquery", engine="BigQuery")
    transport = load("requests.exceptions", extra="bigquery", engine="BigQuery")
    project, dataset = location.host, location.database
    place = location.options.get("location", _LOCATION)
    engine = BigQueryEngine(
        open_client=_client(driver, location, project, place),
        config=_config(driver, f"{project}.{dataset}" if dataset else ""),
        retry=driver.DEFAULT_RETRY.with_timeout,
        errors=(errors.GoogleAPIError, login.GoogleAuthError, transport.RequestException),
    )
    ways = Ways(
        dialect=Dialect.BIGQUERY,
        read_tables=partial(tables_of, dataset=dataset, region=place.casefold()),
        cut=cut,
        estimate=estimate_of,
        advice=engine.advice,
        at_once=0,
    )
    return ThreadWarehouse(str(location), ways, engine, limits)


def _client(
    driver: ModuleType, location: ServerLocation, project: str, place: str
) -> Callable[[], Client]:
    key = location.options.get("credentials_path", "")
    if key:
        return partial(
            driver.Client.from_service_account_json, key, project=project, location=place
        )
    return partial(driver.Client, project=project, location=place)


def _config(driver: ModuleType, dataset: str) -> Callable[[dict[str, object]], object]:
    def config(settings: dict[str, object]) -> object:
        made: Any = driver.QueryJobConfig(
            use_legacy_sql=False, labels={"application": "resona"}, **settings
        )
        if dataset:
            made.default_dataset = dataset
        return made

    return config
