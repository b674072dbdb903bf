"""One type for every identity, so that a thread is never taken for a turn."""

import os
from typing import NewType

WorkspaceId = NewType("WorkspaceId", str)
ActorId = NewType("ActorId", str)
ThreadId = NewType("ThreadId", str)
TurnId = NewType("TurnId", str)
RunId = NewType("RunId", str)
MessageId = NewType("MessageId", str)
ToolCallId = NewType("ToolCallId", str)
ArtifactId = NewType("ArtifactId", str)
FileId = NewType("FileId", str)
DecisionId = NewType("DecisionId", str)
ConnectionName = NewType("ConnectionName", str)
QueryHash = NewType("QueryHash", str)
TaskId = NewType("TaskId", str)


def fresh_id() -> str:
    """Return 32 hexadecimal digits that nobody can guess."""
    return os.urandom(16).hex()
