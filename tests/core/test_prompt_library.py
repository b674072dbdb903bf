from pathlib import Path

import pytest

from core.domain.errors import SettingsInvalid
from core.domain.query import Dialect
from core.prompt_library import PLACEHOLDERS, PromptLibrary, load
from core.toolkit.family import Family


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "families").mkdir()
    (tmp_path / "dialects").mkdir()
    for name, placeholders in PLACEHOLDERS.items():
        text = f"{name} " + " ".join(f"{{{{{each}}}}}" for each in sorted(placeholders))
        (tmp_path / f"{name}.md").write_text(text)
    (tmp_path / "families" / "time.md").write_text("Over time.")
    (tmp_path / "dialects" / "sqlite.md").write_text("SQLite.")
    return tmp_path


def test_the_projects_own_texts_are_complete():
    prompts = load(families=Family)

    assert all(prompts.family(family) for family in Family)
    assert all(prompts.dialect(dialect) for dialect in Dialect)


def test_fills_each_placeholder_once_and_never_reads_a_value_again():
    prompts = PromptLibrary({"x": "{{a}} and {{b}}"})

    assert prompts.fill("x", a="{{b}}", b="2") == "{{b}} and 2"


def test_reads_what_a_folder_holds(folder: Path):
    prompts = load(families=["time"], root=folder)

    assert prompts.family("time") == "Over time."
    assert prompts.dialect(Dialect.SQLITE) == "SQLite."
    assert prompts.dialect(Dialect.POSTGRES) == ""


def test_a_missing_text_is_named(folder: Path):
    with pytest.raises(SettingsInvalid, match=r"prompts/families/report\.md is missing"):
        load(families=["report"], root=folder)


def test_an_empty_text_is_named(folder: Path):
    (folder / "families" / "time.md").write_text(" \n")

    with pytest.raises(SettingsInvalid, match=r"prompts/families/time\.md is empty"):
        load(families=["time"], root=folder)


@pytest.mark.parametrize(
    ("text", "wrong"), [("no placeholder", "words"), ("{{words}} {{names}} {{tables}} {{x}}", "x")]
)
def test_a_placeholder_that_does_not_fit_is_named(folder: Path, text: str, wrong: str):
    (folder / "correction.md").write_text(text)

    with pytest.raises(SettingsInvalid, match=rf"prompts/correction\.md.*{wrong}"):
        load(families=["time"], root=folder)
