"""The files of a table.toml on a real disk: one file is one thing, whatever leads to it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from firmware_host.model.errors import BadSettings
from firmware_host.run.table_files import FilesAround, load_config


@pytest.fixture(autouse=True)
def _empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def faults_with(store: str) -> list[str]:
    Path("table.toml").write_text(f'wiring = "dice4"\ntags = "tags.csv"\n[store]\nfile = "{store}"\n')
    Path("tags.csv").write_text("uid,tag\n")
    try:
        load_config(Path("table.toml"))
    except BadSettings as refusal:
        return [fault.partition("allowed: the path of a file")[2] for fault in refusal.faults]
    return []


def test_a_link_to_another_file_is_that_file(tmp_path: Path) -> None:
    for target, owner in (
        ("tags.csv", "the file of tags in line 2"),
        ("table.toml", "this table.toml itself"),
    ):
        faults_with("table.db")
        for name in ("soft", "hard"):
            Path(name).unlink(missing_ok=True)
        Path("soft").symlink_to(tmp_path / target)
        os.link(target, "hard")
        assert faults_with("soft") == faults_with("hard") == [f": it is {owner}"]


def test_a_link_into_a_folder_that_is_no_disk_is_refused() -> None:
    Path("null").symlink_to("/dev/null")
    Path("kernel").symlink_to("/proc")
    why = [" on a disk: nothing in /dev or /proc or /sys stays"]
    assert faults_with("null") == faults_with("kernel/table.db") == faults_with("/proc/self/cwd/t.db") == why
    assert faults_with("/device/table.db") == faults_with("/dev/shm/table.db") == []


def test_a_fifo_is_no_store() -> None:
    os.mkfifo("fifo")
    assert faults_with("fifo") == [": fifo is a named pipe; name a file somewhere else"]


def test_a_store_may_be_a_link_and_need_not_be_there(tmp_path: Path) -> None:
    Path("store.db").symlink_to(tmp_path / "there.db")
    assert faults_with("store.db") == faults_with("new/folder/table.db") == []
    assert faults_with(f"{'x' * 200}") == []
    assert len(faults_with("ü" * 101)) == 1


def test_files_that_are_not_there_are_the_same_by_their_place() -> None:
    files = FilesAround(Path("table.toml"))
    assert files.same("a/../b", "b") and not files.same("a", "b")
    assert not files.same("a\0", "a\0")
