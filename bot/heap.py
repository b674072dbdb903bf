"""The garbage collector, told what lives as long as the process does."""

from __future__ import annotations

import gc


def settle() -> None:
    """Keep what is there now out of every later collection; to be called once all is open.

    Looking through it again each time would hold the event loop up for tens of milliseconds.
    """
    gc.collect()
    gc.freeze()
    # Rows are many objects and few cycles: looking for them less often makes reading cheaper.
    gc.set_threshold(10_000, 20, 50)
