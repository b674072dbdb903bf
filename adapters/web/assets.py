"""The files of the page, read once; nothing of it comes from anywhere else."""

import hashlib
from dataclasses import dataclass
from importlib.resources import files

from aiohttp import web

_MEDIA_TYPES = {
    "css": "text/css",
    "html": "text/html",
    "js": "text/javascript",
    "svg": "image/svg+xml",
}


@dataclass(frozen=True, slots=True)
class Asset:
    """One file; a browser that has this very version is told so instead."""

    name: str
    content: bytes
    etag: str

    async def serve(self, request: web.Request) -> web.StreamResponse:
        headers = {"ETag": self.etag, "Cache-Control": "no-cache"}
        if request.headers.get("If-None-Match") == self.etag:
            return web.Response(status=304, headers=headers)
        return web.Response(
            body=self.content,
            content_type=_MEDIA_TYPES[self.name.rsplit(".", 1)[1]],
            charset="utf-8",
            headers=headers,
        )


def load_assets() -> dict[str, Asset]:
    """Read every file of the page by its name."""
    return {
        each.name: Asset(each.name, content, f'"{hashlib.sha256(content).hexdigest()[:16]}"')
        for each in (files("adapters.web") / "page").iterdir()
        if each.name.rsplit(".", 1)[-1] in _MEDIA_TYPES
        for content in (each.read_bytes(),)
    }
