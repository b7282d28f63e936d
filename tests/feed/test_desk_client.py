"""Telling a table something over a real socket, and what is said if that can't be done."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest

from firmware_host.feed import feed_client
from firmware_host.feed.addresses import FAULTS_SOCKET
from firmware_host.feed.feed_client import DeskClosed, tell_faults, tell_table


@contextmanager
def desk(path: Path, answer: Callable[[bytes], list[bytes]]) -> Iterator[None]:
    """Something that answers this in parts, and hangs up."""
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        listening.listen()

        def serve() -> None:
            connected, _ = listening.accept()
            with connected:
                for part in answer(connected.recv(4096)):
                    connected.sendall(part)

        thread = Thread(target=serve)
        thread.start()
        yield
        thread.join()


def refused(path: Path) -> str:
    with pytest.raises(DeskClosed) as why:
        tell_table(path, "pause")
    return str(why.value).removeprefix(f"{path}: ")


def test_the_answer_is_that_of_the_table(tmp_path: Path) -> None:
    path = tmp_path / "s"
    with desk(path, lambda asked: [b'{"ok":', json.dumps(json.loads(asked)["tell"]).encode(), b"}\n"]):
        assert tell_table(path, "leftover 3 2") == {"ok": "leftover 3 2"}


def test_faults_are_told_to_the_world_of_a_simulated_table(tmp_path: Path) -> None:
    with desk(tmp_path / FAULTS_SOCKET, lambda asked: [asked]):
        assert tell_faults(tmp_path, "unplug left") == {"tell": "unplug left"}


def test_a_real_table_has_no_world_to_tell_of_faults(tmp_path: Path) -> None:
    with pytest.raises(DeskClosed, match="faults can only be injected at a simulated table"):
        tell_faults(tmp_path, "unplug left")


@pytest.mark.parametrize("answer", [[], [b"{"], [b"[1]\n"], [b"7\n"], [b"\xff\n"]])
def test_what_is_no_answer(tmp_path: Path, answer: list[bytes]) -> None:
    with desk(tmp_path / "s", lambda asked: answer):
        assert refused(tmp_path / "s") == "this is not the answer of a table"


def test_an_endless_answer_is_not_read_to_its_end(tmp_path: Path) -> None:
    with desk(tmp_path / "s", lambda asked: [b"x" * feed_client.LONGEST_ANSWER]):
        assert refused(tmp_path / "s") == "this is not the answer of a table"


def test_nobody_listens(tmp_path: Path) -> None:
    assert refused(tmp_path / "s") == "no table listens there (No such file or directory)"


def test_a_table_that_does_not_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed_client, "ANSWER_S", 0.05)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "s"))
        listening.listen()
        assert refused(tmp_path / "s") == "the table does not answer"


def test_somebody_who_may_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root may do everything, so the system's word is put in its mouth."""

    def forbidden(self: object, address: str) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("firmware_host.feed.feed_client.socket.socket.connect", forbidden)
    assert refused(tmp_path / "s") == "you may not tell this table anything; use sudo, or join its group"
