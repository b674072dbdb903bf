"""What holds for every file of the source."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("bot", "core", "adapters", "tests")
FILES = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
LONGEST_FILE = 400


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_no_file_is_too_long(path: Path):
    lines = path.read_text(encoding="utf-8").count("\n")

    assert lines <= LONGEST_FILE


def test_only_the_guard_seals_a_query():
    uses = {name_of(path) for path in FILES if "GUARD_SEAL" in path.read_text(encoding="utf-8")}
    source = {name for name in uses if not name.startswith("tests/")}

    assert source == {"core/domain/query.py", "core/sql/guard.py"}


def test_only_the_settings_read_the_environment():
    words = ("os.environ", "os.getenv", "getenv(", "environb")
    readers = {
        name_of(path)
        for path in FILES
        if not name_of(path).startswith("tests/")
        and any(word in path.read_text(encoding="utf-8") for word in words)
    }

    # The one adapter does not read: it sets what its library wants to find before its import.
    assert readers <= {"bot/settings.py", "adapters/models/litellm_loading.py"}


def test_packages_define_nothing_in_their_init():
    defining = [
        name_of(path)
        for path in FILES
        if path.name == "__init__.py"
        and any(
            line.startswith(("def ", "class ", "async def "))
            for line in path.read_text(encoding="utf-8").splitlines()
        )
    ]

    assert not defining


def test_nothing_is_silenced_inside_the_code():
    marks = ("# no" + "qa", "# type: " + "ignore")
    silenced = [
        name_of(path)
        for path in FILES
        if any(mark in path.read_text(encoding="utf-8") for mark in marks)
    ]

    assert not silenced
