"""Lets Redshift's driver speak to PostgreSQL, from which Redshift descends.

The driver greets with settings that PostgreSQL does not know; this passes on everything but
those, and the version of the server without the words that a distribution adds to it.
"""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Generator
from contextlib import closing, contextmanager, suppress

_KNOWN = (b"user", b"database", b"application_name")
_PROTOCOL = 196608


@contextmanager
def greeting_redshift(host: str, port: int) -> Generator[int]:
    """Give a port of this machine at which the driver can greet the server."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        taking = threading.Thread(target=_take, args=(listening, (host, port)), daemon=True)
        taking.start()
        yield listening.getsockname()[1]


def _take(listening: socket.socket, server: tuple[str, int]) -> None:
    with suppress(OSError):
        while True:
            client, _ = listening.accept()
            threading.Thread(target=_serve, args=(client, server), daemon=True).start()


def _serve(client: socket.socket, server: tuple[str, int]) -> None:
    with suppress(OSError), closing(client), socket.create_connection(server) as upstream:
        upstream.sendall(_greeting(client))
        _welcome(upstream, client)
        back = threading.Thread(target=_pass_on, args=(upstream, client), daemon=True)
        back.start()
        _pass_on(client, upstream)
        back.join()


def _greeting(client: socket.socket) -> bytes:
    (length,) = struct.unpack("!i", _exactly(client, 4))
    words = _exactly(client, length - 4)[4:].split(b"\0")
    pairs = zip(words[::2], words[1::2], strict=False)
    known = b"".join(b"%b\0%b\0" % (key, value) for key, value in pairs if key in _KNOWN)
    body = struct.pack("!i", _PROTOCOL) + known + b"\0"
    return struct.pack("!i", len(body) + 4) + body


def _welcome(upstream: socket.socket, client: socket.socket) -> None:
    """Pass on what comes before the first query; of the version only what the driver can read."""
    kind = b""
    while kind not in (b"Z", b"E"):
        kind = _exactly(upstream, 1)
        (length,) = struct.unpack("!i", _exactly(upstream, 4))
        body = _exactly(upstream, length - 4)
        if kind == b"S" and body.startswith(b"server_version\0"):
            body = body.split(b" ")[0].rstrip(b"\0") + b"\0"
        client.sendall(kind + struct.pack("!i", len(body) + 4) + body)


def _exactly(client: socket.socket, size: int) -> bytes:
    read = b""
    while len(read) < size:
        more = client.recv(size - len(read))
        if not more:
            raise ConnectionError("the driver left while it greeted")
        read += more
    return read


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)
