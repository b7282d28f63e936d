"""The messages to systemd, at a real socket such as it listens at."""

from __future__ import annotations

import logging
import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_host.run.system import Notifier


@pytest.fixture(params=["path", "abstract"])
def systemd(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[socket.socket]:
    """The socket at which systemd listens."""
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    listening.bind(str(tmp_path / "notify") if request.param == "path" else f"\0ligretto-{os.getpid()}")
    listening.settimeout(5)
    yield listening
    listening.close()


def address(listening: socket.socket) -> str:
    """It as systemd puts it into the environment."""
    name = listening.getsockname()
    return name if isinstance(name, str) else name.decode().replace("\0", "@", 1)


def heard(listening: socket.socket) -> list[str]:
    """All messages that have arrived."""
    listening.setblocking(False)
    messages = []
    try:
        while True:
            messages.append(listening.recv(4096).decode())
    except BlockingIOError:
        return messages


def test_a_life_of_the_daemon(systemd: socket.socket) -> None:
    notifier = Notifier({"NOTIFY_SOCKET": address(systemd)})
    notifier.status("nobody plays")
    notifier.ready()
    notifier.watchdog()
    notifier.stopping()
    notifier.close()
    assert heard(systemd) == ["STATUS=nobody plays", "READY=1", "WATCHDOG=1", "STOPPING=1"]


def test_reloading_tells_when_it_began(systemd: socket.socket) -> None:
    notifier = Notifier({"NOTIFY_SOCKET": address(systemd)})
    before_us = time.monotonic_ns() // 1000
    notifier.reloading()
    notifier.ready()
    notifier.close()
    first, second = heard(systemd)
    reloading, moment = first.split("\n")
    name, at_us = moment.split("=")
    assert (reloading, name, second) == ("RELOADING=1", "MONOTONIC_USEC", "READY=1")
    assert before_us <= int(at_us) <= time.monotonic_ns() // 1000


def test_a_status_is_one_line_and_told_once(systemd: socket.socket) -> None:
    notifier = Notifier({"NOTIFY_SOCKET": address(systemd)})
    for text in ("round 2\nof 4", "round 2 of 4", "round 3 of 4"):
        notifier.status(text)
    notifier.close()
    assert heard(systemd) == ["STATUS=round 2 of 4", "STATUS=round 3 of 4"]


def test_without_a_socket_nothing_happens(caplog: pytest.LogCaptureFixture) -> None:
    notifier = Notifier({})
    for tell in (notifier.ready, notifier.reloading, notifier.stopping, notifier.watchdog, notifier.close):
        tell()
    notifier.status("nobody plays")
    assert caplog.records == []


def test_after_closing_nothing_is_told(systemd: socket.socket) -> None:
    notifier = Notifier({"NOTIFY_SOCKET": address(systemd)})
    notifier.close()
    notifier.close()
    notifier.ready()
    assert heard(systemd) == []


@pytest.mark.parametrize("where", ["vsock:2:1234", "relative/socket"])
def test_a_socket_of_another_kind_is_told_and_left_alone(
    where: str, caplog: pytest.LogCaptureFixture
) -> None:
    notifier = Notifier({"NOTIFY_SOCKET": where})
    notifier.ready()
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert where in caplog.text


def test_what_fails_is_logged_once_and_made_good(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "notify"
    notifier = Notifier({"NOTIFY_SOCKET": str(path)})
    notifier.ready()  # nobody listens yet
    notifier.watchdog()
    notifier.status("nobody plays")
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == [
        "systemd could not be notified of 'READY=1'"
    ]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(path))
        notifier.watchdog()
        assert heard(listening) == ["READY=1", "STATUS=nobody plays", "WATCHDOG=1"]
    notifier.close()


def test_a_listener_that_is_stuck_holds_nobody_up(systemd: socket.socket) -> None:
    notifier = Notifier({"NOTIFY_SOCKET": address(systemd)})
    for number in range(5000):  # far more than any queue of the kernel takes
        notifier.status(f"round {number}")
    first = heard(systemd)
    assert first[0] == "STATUS=round 0" and len(first) < 4000
    notifier.watchdog()  # now there is room again
    notifier.close()
    last = heard(systemd)
    assert last == ["STATUS=round 4999", "WATCHDOG=1"]


def test_what_is_owed_to_a_listener_that_is_stuck_is_never_lost(systemd: socket.socket) -> None:
    notifier = Notifier({"NOTIFY_SOCKET": address(systemd)})
    for number in range(5000):
        notifier.status(f"round {number}")
    notifier.ready()
    notifier.reloading()
    notifier.ready()
    for number in range(20):
        notifier.status(f"match {number}")
    heard(systemd)
    notifier.watchdog()
    notifier.close()
    kinds = [each.partition("=")[0] for each in heard(systemd)]
    assert kinds == ["RELOADING", "READY", "STATUS", "WATCHDOG"]


@pytest.mark.parametrize(
    ("environment", "limit_ns"),
    [
        ({}, None),
        ({"WATCHDOG_USEC": "20000000"}, 20_000_000_000),
        ({"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": str(os.getpid())}, 20_000_000_000),
        ({"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": str(os.getpid() + 1)}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "-5"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
        ({"WATCHDOG_USEC": "²"}, None),
    ],
)
def test_the_watchdog_is_as_systemd_asks_for_it(environment: dict[str, str], limit_ns: int | None) -> None:
    notifier = Notifier(environment)
    assert notifier.watchdog_ns == limit_ns
    assert notifier.watchdog_every_ns == (None if limit_ns is None else limit_ns // 2)
