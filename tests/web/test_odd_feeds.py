"""A feed that is none: the pages are told that the table is lost, and see it again when it makes sense."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from firmware_host.feed.addresses import FEED_SOCKET
from firmware_host.web import feed_hub
from firmware_host.web.web_table import FoundTable
from tests.web.browsers import until
from tests.web.serving import served, settings_in

STATE = {"table": {"simulated": False}, "phase": "attract"}
SNAPSHOT = {"is": "snapshot", "session": "7", "n": 3, "t_ns": 1, "state": STATE, "lamps": "", "page": []}


@contextmanager
def telling(folder: Path, *first: bytes) -> Iterator[None]:
    """A feed that says each of these once, to one caller after the other, and then makes sense."""
    sensible = json.dumps({"is": "hello", "feed": 1}).encode() + b"\n" + json.dumps(SNAPSHOT).encode() + b"\n"
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(folder / FEED_SOCKET))
    listening.listen()
    to_say = list(first)
    open_: list[socket.socket] = []

    def tell() -> None:
        while True:
            try:
                caller, _ = listening.accept()
            except OSError:
                return
            try:
                if to_say:
                    caller.sendall(to_say.pop(0))
                    caller.close()
                else:
                    caller.sendall(sensible)
                    open_.append(caller)
            except OSError:
                continue

    thread = threading.Thread(target=tell)
    thread.start()
    try:
        yield
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        for each in open_:
            each.close()
        thread.join()


NONSENSE = [
    b"",
    b"\n",
    b"null\n",
    b"[]\n",
    b"{}\n",
    b'{"is":5}\n',
    b'{"is":"snapshot"}\n',
    b'{"is":"snapshot","session":"1","n":"x","t_ns":1,"state":{}}\n',
    b'{"is":"step","session":"9","n":1,"t_ns":1}\n',
    b'{"is":"alive"}\n',
    b'{"is":"dropped","why":"too slow"}\n',
    b"\xff\xfe\n",
    b"[" * 100_000 + b"\n",
    b"HTTP/1.1 200 OK\r\n\r\n",
]


def test_the_hub_gets_over_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed_hub, "AGAIN_S", 0.01)
    with (
        telling(tmp_path, *NONSENSE),
        served(settings_in(tmp_path), lambda: FoundTable(tmp_path, "")) as web,
        web.browser().stream() as events,
    ):
        assert until(events, "snapshot").told["state"] == STATE
        assert web.server.hub.connected


def test_a_message_without_end_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed_hub, "AGAIN_S", 0.05)
    monkeypatch.setattr(feed_hub, "LONGEST_MESSAGE", 10_000)
    with (
        telling(tmp_path, b"x" * 50_000),
        served(settings_in(tmp_path), lambda: FoundTable(tmp_path, "")) as web,
        web.browser().stream() as events,
    ):
        assert until(events, "snapshot").told["state"] == STATE


def test_a_table_that_says_nothing_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed_hub, "SILENT_S", 0.2)
    with (
        telling(tmp_path),
        served(settings_in(tmp_path), lambda: FoundTable(tmp_path, "")) as web,
        web.browser().stream() as events,
    ):
        until(events, "snapshot")
        assert until(events, "lost").told["why"] == "the table says nothing any more"
        until(events, "snapshot")
