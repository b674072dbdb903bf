"""A kept file as a browser may safely have it."""

from urllib.parse import quote

from aiohttp import web

from core.domain.answer import FileRef

_SHOWN_IN_PLACE = frozenset({"image/png"})
_OFFICE = "application/vnd.openxmlformats-officedocument"
_GIVEN_BY_THEIR_TYPE = _SHOWN_IN_PLACE | {
    "application/pdf",
    f"{_OFFICE}.presentationml.presentation",
    f"{_OFFICE}.spreadsheetml.sheet",
    "text/csv",
}


def file_response(ref: FileRef, content: bytes) -> web.Response:
    """Give pictures to be shown and everything else to be saved; no file can run as a page."""
    in_place = ref.media_type in _SHOWN_IN_PLACE
    known = ref.media_type in _GIVEN_BY_THEIR_TYPE
    return web.Response(
        body=content,
        content_type=ref.media_type if known else "application/octet-stream",
        headers={
            "Content-Disposition": _disposition(ref.name, in_place=in_place),
            "Content-Security-Policy": "default-src 'none'; sandbox",
            # A file never changes under its id.
            "Cache-Control": "private, max-age=86400, immutable",
        },
    )


def _disposition(name: str, *, in_place: bool) -> str:
    kind = "inline" if in_place else "attachment"
    plain = "".join(
        each if each.isascii() and (each.isalnum() or each in "._- ") else "_" for each in name
    )
    return f"{kind}; filename=\"{plain or 'file'}\"; filename*=UTF-8''{quote(name, safe='')}"
