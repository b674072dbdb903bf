"""Structured logs: one JSON object a line on standard error, without secrets and without data.

Warnings and errors of libraries come the same way. The ids of turn and thread are bound where a
turn starts and stand on every line until it ends.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Mapping, MutableMapping
from typing import Any

import structlog

_SECRET_WORDS = frozenset({"password", "secret", "token", "key", "authorization", "url"})


def configure(level: str, *, terminal: bool = False) -> None:
    """Set up logging for the whole process; on a terminal lines are for people to read."""
    shared: list[structlog.types.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        without_secrets,
    ]
    renderer: structlog.types.Processor = (
        structlog.dev.ConsoleRenderer(colors=False)
        if terminal
        else structlog.processors.JSONRenderer()
    )
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=shared,
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,
            renderer,
        ],
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    # Its warnings quote the SQL that it could not read, which may hold data.
    logging.getLogger("sqlglot").setLevel(logging.CRITICAL)
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )


def without_secrets(
    _logger: object, _method: str, event: MutableMapping[str, Any]
) -> Mapping[str, Any]:
    """Blank out every value whose name says that it is a secret."""
    for name in event:
        if _SECRET_WORDS.intersection(name.lower().split("_")):
            event[name] = "***"
    return event
