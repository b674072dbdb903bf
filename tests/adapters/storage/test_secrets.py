import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from adapters.storage.secrets import SecretBox, new_key
from core.domain.errors import SecretUnreadable, SettingsInvalid

HUSH = "pässword with spaces/@:%"


@pytest.fixture
def nowhere(tmp_path: Path) -> Path:
    return tmp_path / "state" / "secret.key"


def test_gives_back_what_it_was_given_and_shows_nothing_of_it(nowhere: Path):
    box = SecretBox((new_key(),), nowhere)

    sealed = box.seal(HUSH)

    assert box.open(sealed) == HUSH
    assert HUSH.encode() not in sealed
    assert sealed.isascii()
    assert sealed != box.seal(HUSH)
    assert not nowhere.exists()


def test_without_keys_one_is_made_once_that_its_owner_alone_reads(nowhere: Path):
    sealed = SecretBox((), nowhere).seal(HUSH)
    kept = nowhere.read_bytes()

    assert SecretBox((), nowhere).open(sealed) == HUSH
    assert nowhere.read_bytes() == kept
    assert stat.S_IMODE(nowhere.stat().st_mode) == 0o600
    assert stat.S_IMODE(nowhere.parent.stat().st_mode) == 0o700


def test_several_that_make_the_key_at_once_have_the_same(nowhere: Path):
    boxes = [SecretBox((), nowhere) for _ in range(8)]

    with ThreadPoolExecutor(8) as threads:
        waiting = [threads.submit(box.seal, HUSH) for box in boxes]
        sealed = [each.result() for each in waiting]

    assert [SecretBox((), nowhere).open(each) for each in sealed] == [HUSH] * 8
    assert [path.name for path in nowhere.parent.iterdir()] == ["secret.key"]


def test_the_first_key_encrypts_and_any_decrypts(nowhere: Path):
    old, new = new_key(), new_key()
    sealed = SecretBox((old,), nowhere).seal(HUSH)
    both = SecretBox((new, old), nowhere)

    assert both.open(sealed) == HUSH
    assert SecretBox((new,), nowhere).open(both.seal(HUSH)) == HUSH


def test_after_rotation_the_old_key_may_go(nowhere: Path):
    old, new = new_key(), new_key()
    sealed = SecretBox((old,), nowhere).seal(HUSH)

    rotated = SecretBox((new, old), nowhere).rotate(sealed)

    assert SecretBox((new,), nowhere).open(rotated) == HUSH


@pytest.mark.parametrize("deed", [SecretBox.open, SecretBox.rotate])
def test_says_what_to_do_when_no_key_fits(
    nowhere: Path, deed: Callable[[SecretBox, bytes], object]
):
    sealed = SecretBox((new_key(),), nowhere).seal(HUSH)

    with pytest.raises(SecretUnreadable, match=r"secret_keys.*give the secret again"):
        deed(SecretBox((new_key(),), nowhere), sealed)
    with pytest.raises(SecretUnreadable, match=r"secret\.key"):
        deed(SecretBox((), nowhere), sealed)


def test_what_was_changed_does_not_open(nowhere: Path):
    box = SecretBox((), nowhere)
    sealed = box.seal(HUSH)

    with pytest.raises(SecretUnreadable):
        box.open(sealed[:-6] + b"AAAAAA")
    with pytest.raises(SecretUnreadable):
        box.open(b"")


@pytest.mark.parametrize("key", ["short", "x" * 44, "ö" * 44])
def test_what_is_no_key_is_said_to_be_none_without_being_shown(nowhere: Path, key: str):
    with pytest.raises(SettingsInvalid, match=r"secret_keys.*no key") as caught:
        SecretBox((key,), nowhere).seal(HUSH)

    assert key not in str(caught.value)


def test_a_file_that_holds_no_key_is_named(nowhere: Path):
    nowhere.parent.mkdir()
    nowhere.write_text("not a key")

    with pytest.raises(SettingsInvalid, match=r"secret\.key.*no key"):
        SecretBox((), nowhere).seal(HUSH)


def test_a_key_that_cannot_be_kept_is_said(tmp_path: Path):
    (tmp_path / "file").write_text("")

    with pytest.raises(SettingsInvalid, match="cannot be used"):
        SecretBox((), tmp_path / "file" / "secret.key").seal(HUSH)
