from pathlib import Path

import pytest

from tests.kit.demo import place_demo


@pytest.fixture(autouse=True)
def state_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RESONA_STATE_DIR", str(tmp_path / "state"))
    return tmp_path / "state"


@pytest.fixture
def demo(state_dir: Path) -> None:
    """Let the demo be there already."""
    place_demo(state_dir)
