import asyncio
import json
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from adapters.dictionary.yaml_dictionary import YamlDictionary
from core.domain.definitions import Definition, Join, Metric, Stated, Synonym, Term
from core.domain.ids import ConnectionName
from tests.conformance.data_dictionary import ANYBODY, SHOP, DataDictionaryContract, Say

GOOD = "synonyms:\n  turnover: orders.amount\n"
JOINS = "joins:\n  - orders.buyer = customers.id\n  - sales.orders.region = sales.regions.id\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "definitions.yaml"


@pytest.fixture
def dictionary(file: Path) -> YamlDictionary:
    return YamlDictionary(lambda _: [file])


async def read(dictionary: YamlDictionary, file: Path, text: str | bytes) -> Stated:
    write(file, text)
    return await dictionary.stated(ANYBODY, SHOP)


def remove(file: Path) -> None:
    file.unlink()


def write(file: Path, text: str | bytes) -> None:
    before = file.stat().st_mtime_ns if file.exists() else 0
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    # Two writes may fall into one tick of the file system's clock.
    os.utime(file, ns=(before + 1_000_000, before + 1_000_000))


class TestYamlDictionary(DataDictionaryContract):
    @pytest.fixture
    def dictionary(self, tmp_path: Path) -> YamlDictionary:
        def files(connection: ConnectionName) -> list[Path]:
            file = tmp_path / f"{connection}.yaml"
            return [file] if file.exists() else []

        return YamlDictionary(files)

    @pytest.fixture
    def say(self, tmp_path: Path) -> Say:
        def said(connection: ConnectionName, definitions: Sequence[Definition]) -> None:
            text = json.dumps(as_sections(definitions))
            write(tmp_path / f"{connection}.yaml", text)

        return said


def as_sections(definitions: Sequence[Definition]) -> dict[str, dict[str, object]]:
    sections: dict[str, dict[str, object]] = {}
    for each in definitions:
        kind, body = as_entry(each)
        sections.setdefault(kind, {})[each.name] = body
    return sections


def as_entry(definition: Definition) -> tuple[str, object]:
    match definition:
        case Synonym():
            return "synonyms", definition.target
        case Term():
            body: dict[str, object] = {"table": definition.table, "filter": definition.condition}
            body |= {"synonyms": [*definition.also], "description": definition.meaning}
            return "terms", body
        case Metric():
            body = {"table": definition.table, "expression": definition.expression}
            body |= {"filters": [*definition.conditions], "synonyms": [*definition.also]}
            body |= {"description": definition.meaning, "date": definition.date}
            body |= {"grain": definition.grain, "unit": definition.unit}
            return "metrics", {**body, "ranks": [*definition.ranks]}
        case Join():
            raise AssertionError(definition)


async def test_short_forms_mean_the_same_as_long_ones(dictionary: YamlDictionary, file: Path):
    short = """
    metrics:
      order value: {table: orders, expression: AVG(amount), filters: amount > 0, synonyms: AOV}
    terms:
      flywheel: What the company believes in.
    """
    stated = await read(dictionary, file, short)

    assert stated.definitions.metrics[0].conditions == ("amount > 0",)
    assert stated.definitions.metrics[0].also == ("AOV",)
    assert stated.definitions.terms[0].meaning == "What the company believes in."
    assert stated.definitions.terms[0].place.line == 5


async def test_joins_are_two_columns(dictionary: YamlDictionary, file: Path):
    stated = await read(dictionary, file, JOINS)

    assert [each.name for each in stated.definitions.joins] == [
        "orders.buyer = customers.id",
        "sales.orders.region = sales.regions.id",
    ]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("metrics:\n  a:\n    table: t\n    expresion: x\n", 4, "did you mean 'expression'?"),
        ("metrics:\n  a:\n    table: t\n", 3, "the metric 'a' needs 'expression'"),
        ("metric:\n  a: b\n", 1, "did you mean 'metrics'?"),
        ("metrics:\n  - a\n", 2, "metrics has to hold keys with values"),
        ("terms:\n  a:\n    table: t\n", 2, "has a table, so it needs a filter as well"),
        ("terms:\n  a:\n    filter: x = 1\n", 2, "has a filter, so it needs a table as well"),
        ("terms:\n  a:\n", 2, "the term 'a' says nothing"),
        ("terms:\n  a: {filter: [x = 1], table: t}\n", 2, "has to be one text"),
        ("terms:\n  a:\n    table: t\n    table: u\n", 4, "has 'table' twice"),
        ("synonyms:\n  a: [b]\n", 2, "the synonym 'a' has to be one text"),
        ("synonyms:\n  '!': b\n", 2, "has no letter in it"),
        (f"synonyms:\n  {'x' * 81}: b\n", 2, "longer than 80 characters"),
        (f"terms:\n  a: {'x' * 2001}\n", 2, "longer than 2000 characters"),
        ("joins:\n  - a = b\n", 2, "has to be like orders.customer_id = customers.customer_id"),
        ("joins:\n  a: b\n", 2, "joins has to be a list"),
        ("terms: {a: [b\n", 2, "no valid YAML"),
        ("- a\n", 1, "the file has to hold keys"),
        ("a: 1\n---\nb: 2\n", 2, "no valid YAML"),
        ("[" * 5_000, 0, "too deep"),
        ("terms:\n  a: [[[[[[1]]]]]]\n", 2, "too deep"),
        ("? [a]\n: b\n", 1, "a key has to be a word"),
        (b"terms:\n  a: \xff\n", 2, "not written in UTF-8"),
        ("terms:\n  a: \x07\n", 0, "no valid YAML"),
        (f"# {'x' * 1_000_001}", 0, "larger than 1,000,000 bytes"),
    ],
)
async def test_what_is_wrong_is_told_with_its_line(
    dictionary: YamlDictionary, file: Path, text: str | bytes, line: int, words: str
):
    stated = await read(dictionary, file, text)

    assert not stated.definitions
    [problem] = stated.problems
    assert problem.place.line == line
    assert problem.place.source == str(file)
    assert words in problem.text


async def test_no_object_is_ever_made_of_a_file(dictionary: YamlDictionary, file: Path):
    made = file.with_name("made")
    text = f"terms:\n  a: !!python/object/apply:os.mkdir ['{made}']\n"
    stated = await read(dictionary, file, text)

    assert not made.exists()
    assert len(stated.problems) == 1


async def test_a_short_text_of_aliases_stays_short(dictionary: YamlDictionary, file: Path):
    bomb = "terms:\n  a: &a [x, x, x, x]\n" + "".join(
        f"  {chr(98 + n)}: &{chr(98 + n)} [{', '.join(['*' + chr(97 + n)] * 9)}]\n"
        for n in range(8)
    )
    stated = await read(dictionary, file, bomb)

    assert not stated.definitions
    assert stated.problems


async def test_entries_beside_a_broken_one_are_taken_at_first(
    dictionary: YamlDictionary, file: Path
):
    stated = await read(dictionary, file, GOOD + "terms:\n  a: {}\n")

    assert [each.name for each in stated.definitions] == ["turnover"]
    assert len(stated.problems) == 1
    assert not stated.outdated


async def test_a_change_is_read_while_it_runs(dictionary: YamlDictionary, file: Path):
    first = await read(dictionary, file, GOOD)
    changed = await read(dictionary, file, GOOD.replace("turnover", "takings"))

    assert [each.name for each in first.definitions] == ["turnover"]
    assert [each.name for each in changed.definitions] == ["takings"]


@pytest.mark.parametrize("broken", ["terms: {a: [b\n", "terms:\n  a: {}\nsynonyms: {b: c}\n"])
async def test_a_file_that_breaks_goes_on_as_it_was(
    dictionary: YamlDictionary, file: Path, broken: str
):
    first = await read(dictionary, file, GOOD)
    second = await read(dictionary, file, broken)
    mended = await read(dictionary, file, GOOD + "terms: {a: b}\n")

    assert second.definitions is first.definitions
    assert second.outdated
    assert len(second.problems) == 1
    assert mended.problems == ()
    assert not mended.outdated
    assert [each.name for each in mended.definitions] == ["a", "turnover"]


async def test_a_file_that_goes_is_missed_and_goes_on(dictionary: YamlDictionary, file: Path):
    await read(dictionary, file, GOOD)
    remove(file)
    stated = await dictionary.stated(ANYBODY, SHOP)

    assert [each.name for each in stated.definitions] == ["turnover"]
    assert stated.outdated
    assert "cannot be read (No such file or directory)" in stated.problems[0].text


async def test_a_folder_is_no_file(tmp_path: Path):
    stated = await YamlDictionary(lambda _: [tmp_path]).stated(ANYBODY, SHOP)

    assert "cannot be read (Is a directory)" in stated.problems[0].text


async def test_several_files_make_one_dictionary(tmp_path: Path):
    one, other = tmp_path / "one.yaml", tmp_path / "other.yaml"
    write(one, GOOD)
    write(other, "synonyms:\n  Turnover: orders.tax\n  takings: orders.amount\n")
    stated = await YamlDictionary(lambda _: [one, other]).stated(ANYBODY, SHOP)

    assert [each.name for each in stated.definitions] == ["takings", "turnover"]
    [problem] = stated.problems
    assert str(problem) == (
        f"{other}:2: 'turnover' is defined twice: first as 'turnover' at {one}:2. "
        "Rename one of them or take it out."
    )


async def test_the_loop_goes_on_while_a_file_is_slow(dictionary: YamlDictionary, file: Path):
    os.mkfifo(file)
    async with asyncio.TaskGroup() as tasks:
        reading = tasks.create_task(dictionary.stated(ANYBODY, SHOP))
        # Whoever reads a pipe stands still until somebody writes into it.
        await asyncio.to_thread(file.write_text, GOOD)

    assert [each.name for each in reading.result().definitions] == ["turnover"]
