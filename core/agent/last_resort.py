"""Where no model answers: the question is begun again with the one that cannot be down."""

from __future__ import annotations

import logging
from dataclasses import replace

from core.agent.reporter import Reporter
from core.context import ExecutionContext
from core.domain.errors import ModelError

log = logging.getLogger(__name__)

# What is kept of a question's time for the last resort, and the least that it can do with.
SHARE_KEPT = 0.15
_LEAST_SECONDS = 2.0
_INSTEAD = "{reason} The offline analyst answered instead: it goes by rules and understands less."


def with_last_resort(
    ctx: ExecutionContext, error: ModelError, reporter: Reporter, *, seconds: float
) -> ExecutionContext:
    """Return the context for beginning the question again, of whose time `seconds` are over.

    Raises:
        ModelError: this one, where there is no last resort or no time for it.
    """
    if ctx.last_resort is None or ctx.budget.seconds - seconds < _LEAST_SECONDS:
        raise error
    log.warning("no model answered: %s", error)
    reporter.withdraw()
    reporter.progress("No model answers, going on by rules")
    return replace(
        ctx,
        model=ctx.last_resort,
        model_by_family={},
        last_resort=None,
        budget=replace(ctx.budget, seconds=ctx.budget.seconds - seconds),
        seconds_before=seconds,
        warnings=(*ctx.warnings, _INSTEAD.format(reason=error)),
    )
