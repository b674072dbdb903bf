"""Files that attacks may read and write, in a directory of the test's own."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from shutil import rmtree

from tests.kit.own_servers import OwnServer

CANARY_OF_A_FILE = "canary-of-a-file"


@dataclass(frozen=True, slots=True)
class Places:
    """`written` stands for the directory that attacks write to, `read` for one with a secret."""

    written: Path
    read: Path

    @classmethod
    def below(cls, directory: Path) -> Places:
        """Make both directories, open to everybody."""
        places = cls(directory / "pwn", directory / "data_of_others")
        for each in (places.written, places.read):
            each.mkdir()
            each.chmod(0o777)
        (places.read / "local.csv").write_text(f"secret\n{CANARY_OF_A_FILE}\n")
        return places

    def fitted(self, sql: str) -> str:
        """Put these directories in the place of those that the corpus names."""
        secret = self.read / "local.csv"
        for named, ours in (
            *(("/tmp/pwn", self.written), ("/tmp/data", self.read)),
            *(("/etc/passwd", secret), ("/etc/hostname", secret)),
        ):
            sql = sql.replace(named, str(ours))
        return sql

    def clear(self) -> None:
        rmtree(self.written, ignore_errors=True)
        self.written.mkdir()
        self.written.chmod(0o777)


def places_of(server: OwnServer) -> Places:
    return Places.below(server.directory)


def listing(*directories: Path) -> str:
    """Return every file below with what it holds, as one text."""
    found = sorted(path for each in directories for path in each.rglob("*") if path.is_file())
    return "\n".join(f"{path} {sha256(path.read_bytes()).hexdigest()}" for path in found)
