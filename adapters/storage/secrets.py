"""Encrypts what must be kept and must not be read: passwords and tokens in the state database."""

from __future__ import annotations

import importlib
import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Protocol, cast

from core.domain.errors import SecretUnreadable, SettingsInvalid


class _Fernets(Protocol):
    """What is used of cryptography's MultiFernet."""

    def encrypt(self, msg: bytes) -> bytes: ...

    def decrypt(self, msg: bytes) -> bytes: ...

    def rotate(self, msg: bytes) -> bytes: ...


@dataclass(frozen=True)
class SecretBox:
    """Encrypts with the first key and decrypts with any of them.

    keys: Fernet keys, newest first; without any, one is kept in `file`, which is made with the
        first secret and which its owner alone can read
    """

    keys: tuple[str, ...]
    file: Path

    def seal(self, secret: str) -> bytes:
        """Return the secret encrypted, in ASCII; the same secret looks different each time.

        Raises:
            SettingsInvalid: a key is no key, or the file can neither be read nor made.
        """
        return self._fernets.encrypt(secret.encode())

    def open(self, sealed: bytes) -> str:
        """Return what `seal` was given.

        Raises:
            SecretUnreadable: none of the keys fits, or it was changed.
            SettingsInvalid: a key is no key, or the file can neither be read nor made.
        """
        try:
            return self._fernets.decrypt(sealed).decode()
        except self._no_fit as error:
            raise self._unreadable() from error

    def rotate(self, sealed: bytes) -> bytes:
        """Return the same secret, encrypted with the first key.

        Raises:
            SecretUnreadable, SettingsInvalid: as `open` does.
        """
        try:
            return self._fernets.rotate(sealed)
        except self._no_fit as error:
            raise self._unreadable() from error

    @cached_property
    def _fernets(self) -> _Fernets:
        # It takes a moment to load, which a process without secrets need not wait for.
        fernet = importlib.import_module("cryptography.fernet")
        keys = self.keys or (self._kept_key(fernet.Fernet.generate_key()),)
        try:
            return cast("_Fernets", fernet.MultiFernet([fernet.Fernet(key) for key in keys]))
        except ValueError as error:
            raise SettingsInvalid(
                f"{self._where} holds something that is no key: a key has 44 characters, as "
                "`resona connect new-key` prints them."
            ) from error

    def _kept_key(self, fresh: bytes) -> str:
        """Return the key of the file, which gets the fresh one if it is not there yet."""
        try:
            if not self.file.exists():
                _make(self.file, fresh)
            return self.file.read_text(encoding="ascii").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise SettingsInvalid(
                f"The key in {self.file} cannot be used ({type(error).__name__}), so no secret can "
                "be kept. Set secret_keys, or make the file readable for whoever runs the bot."
            ) from error

    @property
    def _no_fit(self) -> type[Exception]:
        return cast("type[Exception]", importlib.import_module("cryptography.fernet").InvalidToken)

    @property
    def _where(self) -> str:
        return "secret_keys" if self.keys else str(self.file)

    def _unreadable(self) -> SecretUnreadable:
        return SecretUnreadable(
            f"A secret cannot be decrypted with what {self._where} holds. Put back the key that it "
            "was encrypted with, or give the secret again."
        )


def new_key() -> str:
    """Return a fresh key."""
    return importlib.import_module("cryptography.fernet").Fernet.generate_key().decode()


def _make(path: Path, key: bytes) -> None:
    """Write the file whole or not at all; of several who make it at once, one does."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = path.with_name(f"{path.name}.{os.getpid()}.{os.urandom(4).hex()}")
    descriptor = os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(key)
            file.flush()
            os.fsync(file.fileno())
        os.link(draft, path)
    except FileExistsError:
        return
    finally:
        draft.unlink(missing_ok=True)
