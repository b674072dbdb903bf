from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.inmemory.file_store import InMemoryFileStore
from bot.cli.saving import save
from core.domain.answer import Answer, FileRef, Shown, ShownChart
from core.domain.ids import ArtifactId


async def content(text: bytes) -> AsyncIterator[bytes]:
    yield text


async def answer_with(files: InMemoryFileStore, *names: str) -> Answer:
    kept = [await files.put(name, "text/csv", content(name.encode())) for name in names]
    return Answer(text="", result=shown("a1", *kept))


def shown(identity: str, *files: FileRef, picture: FileRef | None = None) -> Shown:
    charts = (ShownChart(title="", alt_text="", picture=picture),) if picture else ()
    return Shown(id=ArtifactId(identity), title="", files=files, charts=charts)


async def test_writes_charts_and_files_and_says_where(tmp_path: Path):
    files = InMemoryFileStore()
    picture = await files.put("chart.png", "image/png", content(b"png"))
    table = await files.put("rows.csv", "text/csv", content(b"csv"))
    one = shown("a1", table, picture=picture)
    answer = Answer(text="", result=one, shown=(one,))

    saved = await save(answer, files, tmp_path / "out")

    assert saved.charts == (tmp_path / "out" / "chart.png",)
    assert saved.files == (tmp_path / "out" / "rows.csv",)
    assert saved.charts[0].read_bytes() == b"png"
    assert saved.files[0].read_bytes() == b"csv"


async def test_replaces_no_file_that_is_there(tmp_path: Path):
    files = InMemoryFileStore()
    (tmp_path / "rows.csv").write_bytes(b"mine")

    saved = await save(await answer_with(files, "rows.csv", "rows.csv"), files, tmp_path)

    assert [path.name for path in saved.files] == ["rows-2.csv", "rows-3.csv"]
    assert (tmp_path / "rows.csv").read_bytes() == b"mine"


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("../../x.csv", "_.._x.csv"),
        (".hidden", "hidden"),
        ("", "file"),
        ("a\x00b\n.csv", "a_b_.csv"),
    ],
)
async def test_a_name_stays_in_the_folder(tmp_path: Path, name: str, kept: str):
    files = InMemoryFileStore()

    saved = await save(await answer_with(files, name), files, tmp_path / "out")

    assert [path.name for path in saved.files] == [kept]
    assert saved.files[0].parent == tmp_path / "out"


async def test_makes_no_folder_for_nothing(tmp_path: Path):
    await save(Answer(text="42"), InMemoryFileStore(), tmp_path / "out")

    assert not (tmp_path / "out").exists()
