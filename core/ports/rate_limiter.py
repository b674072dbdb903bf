"""How often somebody may ask."""

from typing import Protocol


class RateLimiter(Protocol):
    """Kept honest by tests/conformance/rate_limiter.py.

    - `admit` takes one token of the key's bucket and returns 0.0, or takes none and returns the
      seconds until there is one. Two at once never take the same token.
    """

    async def admit(self, key: str) -> float: ...
