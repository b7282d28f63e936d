"""Input files: whatever a path leads to, it is read or refused at once."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from firmware_host.files import MOST_BYTES, decoded, kind_of, read_bytes, read_start, read_text
from firmware_host.model.errors import BadSettings
from firmware_host.profile.table import Missing, Unreadable


def refusal(path: str | Path) -> str:
    with pytest.raises(Unreadable) as error:
        read_bytes(path)
    return str(error.value).removeprefix(f"{path}: ")


def test_a_regular_file_is_read_whole_and_a_link_to_it_too(tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_bytes(b"\xef\xbb\xbfa\r\n" * 10_000)
    link.symlink_to(file)
    assert read_bytes(link) == file.read_bytes()
    assert read_text(link) == "a\r\n" + "\ufeffa\r\n" * 9_999
    assert read_start(file, 4) == b"\xef\xbb\xbfa"
    assert kind_of(link) == kind_of(tmp_path) == kind_of(tmp_path / "gone") == kind_of("a\0b") == ""


def test_a_fifo_makes_nobody_wait(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    assert refusal(fifo) == "a named pipe, not a regular file"
    assert kind_of(fifo) == "a named pipe"


def test_a_socket_is_not_opened(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket"))
        assert refusal(tmp_path / "socket") == "a socket, not a regular file"


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/null", "/dev/stdin", "/dev/tty"])
def test_a_device_is_not_opened(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "open", None)
    if kind_of(path) != "a device":
        pytest.skip(f"{path} is something else here")
    assert refusal(path) == "a device, not a regular file"


def test_what_becomes_a_fifo_meanwhile_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, fifo = tmp_path / "file", tmp_path / "fifo"
    file.touch()
    os.mkfifo(fifo)
    before = os.stat(file)
    monkeypatch.setattr(os, "stat", lambda path: before)
    assert refusal(fifo) == "a named pipe, not a regular file"


def test_a_file_that_is_too_long_is_not_read_to_its_end(tmp_path: Path) -> None:
    file = tmp_path / "disk.img"
    file.touch()
    os.truncate(file, MOST_BYTES)
    assert len(read_bytes(file)) == MOST_BYTES
    os.truncate(file, 1 << 40)
    assert refusal(file) == "longer than 100 kB"


def test_what_cannot_be_had_says_why(tmp_path: Path) -> None:
    with pytest.raises(Missing, match="No such file or directory"):
        read_bytes(tmp_path / "gone")
    assert refusal(tmp_path) == "Is a directory"
    assert refusal(tmp_path / ("x" * 300)) == "File name too long"
    assert refusal("a\0b") == "no file can have this name"
    (tmp_path / "loop").symlink_to("loop")
    assert refusal(tmp_path / "loop") == "Too many levels of symbolic links"


def test_nothing_stays_open(tmp_path: Path) -> None:
    before = os.listdir("/proc/self/fd")
    refusal(tmp_path)
    assert os.listdir("/proc/self/fd") == before


def test_a_text_in_another_encoding_is_told_with_its_line() -> None:
    with pytest.raises(BadSettings) as error:
        decoded(b"a\nStra\xdfe", "table.toml")
    assert error.value.faults == ["table.toml:2: 0xdf is not UTF-8; allowed: text in UTF-8"]
