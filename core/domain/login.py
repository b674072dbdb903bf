"""The login with which a connection reads, and whether it is one that only reads."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleWarnings:
    """What a login may do besides reading, a sentence each; `remedy` makes one that only reads.

    The remedy is SQL, a statement a line, for an administrator of the database. Both are empty for
    a login that may only read, and for a file.
    """

    sentences: tuple[str, ...] = ()
    remedy: str = ""
