import pytest

from adapters.web.file_response import file_response
from core.domain.answer import FileRef
from core.domain.ids import FileId


def ref(name: str, media_type: str) -> FileRef:
    return FileRef(id=FileId("0" * 32), name=name, media_type=media_type, size_bytes=1)


@pytest.mark.parametrize(
    "media_type", ["text/html", "image/svg+xml", "text/javascript", "application/xhtml+xml", "?"]
)
def test_what_could_run_as_a_page_is_only_saved(media_type: str):
    response = file_response(ref("a.html", media_type), b"<script>")

    assert response.content_type == "application/octet-stream"
    assert response.headers["Content-Disposition"].startswith("attachment")


@pytest.mark.parametrize(
    ("name", "plain", "encoded"),
    [
        ("sales.csv", "sales.csv", "sales.csv"),
        ("umsätze 2024.csv", "ums_tze 2024.csv", "ums%C3%A4tze%202024.csv"),
        ('a"; filename=b.exe\r\n.csv', "a__ filename_b.exe__.csv", "a%22%3B%20filename%3Db.exe"),
        ("../../x", ".._.._x", "..%2F..%2Fx"),
        ("", "file", ""),
    ],
)
def test_a_name_cannot_leave_its_quotes(name: str, plain: str, encoded: str):
    disposition = file_response(ref(name, "text/csv"), b"").headers["Content-Disposition"]

    assert f'filename="{plain}"' in disposition
    assert f"filename*=UTF-8''{encoded}" in disposition
    assert "\n" not in disposition
