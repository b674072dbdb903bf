"""`make ask` hands on a question as it was typed."""

import asyncio
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SAYS_WHAT_IT_GOT = '#!/bin/sh\nprintf "%s\\n" "$@"\n'


@pytest.fixture
def environment(tmp_path: Path) -> Path:
    for name in ("resona", "uv"):
        program = tmp_path / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(SAYS_WHAT_IT_GOT, encoding="utf-8")
        program.chmod(0o755)
    (tmp_path / ".runtime").touch()
    return tmp_path


@pytest.mark.parametrize(
    "question",
    [
        'revenue of "Task Chair" over $100',
        "what's the revenue",
        "orders `echo here` $(echo there) $(shell echo nowhere) $HOME $$ $(left open",
        "--help",
        r"a\b #1; exit 3",
        "",
    ],
)
async def test_a_question_arrives_as_it_was_typed(environment: Path, question: str):
    words = [
        "-s",
        "ask",
        f"VENV={environment}",
        f"Q={question}",
        "CONNECTION=my $1 shop",
        "THREAD=a b",
    ]

    made = await asyncio.create_subprocess_exec("make", *words, cwd=ROOT, stdout=PIPE)
    said, _ = await made.communicate()

    assert said.decode().splitlines() == [
        "ask",
        "--connection=my $1 shop",
        "--thread=a b",
        "--",
        question,
    ]
