"""Every error raised on purpose, sorted by who has to act on it.

AnalystError
├── ToolError                  the model: `advice` says what it should do next
│   ├── BadArguments           call again with other arguments
│   ├── TemporarilyUnavailable try the same call again
│   └── NotPossible            choose another way
│       └── QueryRejected      the database's own words about a query; the reader never sees them
├── ReaderNeeded               the person who asked: the run pauses until they answer
│   ├── ApprovalNeeded
│   └── ClarificationNeeded
├── ModelError                 the loop: another try, another model, or an end
│   ├── ModelBusy
│   ├── ModelUnreachable
│   └── ModelRefused
└── OperatorNeeded             whoever runs the bot: logged; the reader sees one plain sentence
    ├── DeliveryFailed
    ├── ConnectionUnusable
    ├── SettingsInvalid
    ├── SecretUnreadable
    └── StateUnusable
"""

from core.domain.decisions import Approval, Clarification


class AnalystError(Exception):
    """The root; catch one of its children instead."""


class ToolError(AnalystError):
    """Something the model can act on."""

    def __init__(self, advice: str) -> None:
        super().__init__(advice)
        self.advice = advice


class BadArguments(ToolError):
    """The arguments do not fit; the same tool may be called with others."""


class TemporarilyUnavailable(ToolError):
    """A connection, a lock or a time-out: the same call may work in a moment."""


class NotPossible(ToolError):
    """Another way has to be chosen; `advice` says why, and which."""


class QueryRejected(NotPossible):
    """The database said no; `advice` carries its words, for the model and never for the reader."""


class ReaderNeeded(AnalystError):
    """The run pauses until the person who asked has answered."""


class ApprovalNeeded(ReaderNeeded):
    """A query would cost more than may be spent without being asked."""

    def __init__(self, approval: Approval) -> None:
        super().__init__(approval.reason)
        self.approval = approval


class ClarificationNeeded(ReaderNeeded):
    """The question has several meanings."""

    def __init__(self, clarification: Clarification) -> None:
        super().__init__(clarification.question)
        self.clarification = clarification


class ModelError(AnalystError):
    """A model did not answer; the message is one plain sentence."""


class ModelBusy(ModelError):
    """Rate limit or overload: worth another try, after `retry_after` seconds where it said so."""

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class ModelUnreachable(ModelError):
    """No connection, a time-out, a server error, a cut stream, or not the protocol at all."""


class ModelRefused(ModelError):
    """The request itself was refused (key, name, size); trying again would not help."""


class OperatorNeeded(AnalystError):
    """Whoever runs the bot has to mend something."""


class DeliveryFailed(OperatorNeeded):
    """The platform did not take a message."""


class ConnectionUnusable(OperatorNeeded):
    """A connection cannot be opened or has nothing to read; the message says what to do."""


class SettingsInvalid(OperatorNeeded):
    """A setting is missing or wrong; the message names it and what it should be."""


class StateUnusable(OperatorNeeded):
    """What must last cannot be kept or read; the message says why and what to do."""


class SecretUnreadable(OperatorNeeded):
    """A secret cannot be decrypted with the keys that there are; the message says what to do."""
