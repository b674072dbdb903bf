"""One guard a catalog: it remembers its verdicts, and takes a while to make for many tables."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, field

from core.domain.catalog import Catalog
from core.sql.guard import Guard

_KEPT = 32
_MADE_AT_ONCE = 300  # tables


@dataclass(slots=True)
class Guards:
    """Keeps the guards of the catalogs that were read lately."""

    _by_catalog: OrderedDict[int, Guard] = field(default_factory=OrderedDict[int, Guard])

    async def of(self, catalog: Catalog) -> Guard:
        """Return the guard of this very catalog."""
        # A guard holds on to its catalog, so no other one gets its id while it is kept.
        known = self._by_catalog.get(id(catalog))
        if known is None:
            known = await _made(catalog)
            self._by_catalog[id(catalog)] = known
            if len(self._by_catalog) > _KEPT:
                self._by_catalog.popitem(last=False)
        self._by_catalog.move_to_end(id(catalog))
        return known


async def _made(catalog: Catalog) -> Guard:
    if len(catalog.tables) > _MADE_AT_ONCE:
        return await asyncio.to_thread(Guard, catalog=catalog)
    return Guard(catalog=catalog)
