"""Files that are replaced as a whole."""

import os
from pathlib import Path

import pytest

from firmware_host.runtime.whole_files import replace_whole


def mode_of(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_a_new_file_may_be_read_by_everybody(tmp_path: Path) -> None:
    replace_whole(tmp_path / "a", b"new")
    assert ((tmp_path / "a").read_bytes(), mode_of(tmp_path / "a")) == (b"new", 0o644)


def test_an_old_one_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    path.chmod(0o640)
    replace_whole(path, b"new")
    assert (path.read_bytes(), mode_of(path)) == (b"new", 0o640)


def test_unless_one_is_given(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    replace_whole(path, b"new", 0o600)
    assert mode_of(path) == 0o600


@pytest.mark.skipif(os.getuid() != 0, reason="only root may give files away")
def test_a_file_stays_whose_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    os.chown(path, 1234, 1234)
    replace_whole(path, b"new")
    assert (path.stat().st_uid, path.stat().st_gid) == (1234, 1234)


def test_a_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    (tmp_path / "link").symlink_to("a")
    replace_whole(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "a").read_bytes() == b"new"


def test_when_the_disk_fails_the_old_file_is_there_and_no_draft(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")

    def broken(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", broken)
    with pytest.raises(OSError, match="No space"):
        replace_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a"]
