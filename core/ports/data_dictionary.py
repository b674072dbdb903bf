"""What the data team says that words mean, wherever it says so."""

from typing import Protocol

from core.domain.definitions import Stated
from core.domain.ids import ConnectionName, WorkspaceId


class DataDictionary(Protocol):
    """Kept honest by tests/conformance/data_dictionary.py.

    - `stated` never raises for what somebody wrote wrongly: that comes back as a problem that
      names its place. A source that cannot be read gives what it gave last, and says so.
    - No two of its definitions have a name in common; the order does not depend on the source.
    - As long as nothing has changed, the definitions it gives are the same object.
    - A connection for which nothing is said has no definitions and no problems.
    """

    async def stated(self, workspace: WorkspaceId, connection: ConnectionName) -> Stated: ...
