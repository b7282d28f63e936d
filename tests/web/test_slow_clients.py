"""Clients that take their time, or take too much: they are cut off, and nobody else notices."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from firmware_host.web.feed_hub import FeedHub
from firmware_host.web.frames import Frame
from firmware_host.web.limits import Limits
from tests.web.browsers import PATIENCE_S, received, until, wait_until
from tests.web.live_tables import LiveTable
from tests.web.serving import Served, served, settings_in

GET = b"GET /api/me HTTP/1.1\r\nHost: localhost\r\n"
POST = b"POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
QUICK = Limits(request_s=0.5, unread_s=0.5)


@contextmanager
def connected(web: Served, address: str = "127.0.0.1") -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", web.port), PATIENCE_S, (address, 0)) as connection:
        yield connection


def drip(connection: socket.socket, data: bytes, until_cut_s: float = PATIENCE_S) -> bool:
    """Send it byte by byte, again and again; whether the server cuts it off."""
    end_s = time.monotonic() + until_cut_s
    connection.settimeout(0.02)
    while time.monotonic() < end_s:
        for byte in data:
            try:
                connection.send(bytes([byte]))
                if connection.recv(1000) == b"":
                    return True
            except TimeoutError:
                continue
            except OSError:
                return True
    return False


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"GET",
        GET,
        GET + b"\r\n" + GET,
        POST + b"Content-Length: 9000\r\n\r\n{",
        POST + b"Transfer-Encoding: chunked\r\n\r\n5\r\n",
    ],
    ids=["nothing", "a word", "no end of the head", "the second request", "no end of the body", "chunks"],
)
def test_a_request_that_trickles_in_is_cut_off(begun: bytes, tmp_path: Path) -> None:
    with served(settings_in(tmp_path), lambda: None, QUICK) as web, connected(web) as slow:
        slow.sendall(begun)
        assert drip(slow, b"X-a: b\r\n")
        wait_until(lambda: not web.server.server_state.connections)
        assert web.browser().get("/api/me").status == 200


def test_a_client_that_says_nothing_is_cut_off(tmp_path: Path) -> None:
    with served(settings_in(tmp_path), lambda: None, QUICK) as web, connected(web) as silent:
        assert received(silent) == b""


def test_many_slow_ones_keep_nobody_out(tmp_path: Path) -> None:
    limits = Limits(connections=20)
    with served(settings_in(tmp_path), lambda: None, limits) as web, ExitStack() as slow:
        for number in range(60):
            connection = slow.enter_context(connected(web, f"127.0.2.{number + 1}"))
            connection.sendall(GET)
            if number % 10 == 0:
                assert web.browser().get("/api/me").status == 200
        wait_until(lambda: len(web.server.server_state.connections) <= 21)


def test_who_is_served_is_not_pushed_out(tmp_path: Path, table: LiveTable) -> None:
    limits = Limits(connections=5)
    with served(settings_in(tmp_path), table.found, limits) as web, web.browser().stream() as events:
        until(events, "snapshot")
        with ExitStack() as slow:
            for _ in range(20):
                slow.enter_context(connected(web)).sendall(GET)
            until(events, "alive")
            until(events, "alive")


def test_one_address_gets_so_many_connections(tmp_path: Path) -> None:
    limits = Limits(of_this_machine=4)
    with served(settings_in(tmp_path), lambda: None, limits) as web, ExitStack() as all_:
        for _ in range(4):
            all_.enter_context(connected(web, "127.0.0.7"))
        wait_until(lambda: len(web.server.server_state.connections) == 4)
        with connected(web, "127.0.0.7") as fifth:
            assert received(fifth) == b""
        assert web.browser("127.0.0.8").get("/api/me").status == 200


def test_an_answer_that_nobody_reads_is_given_up(tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "page.html").touch()
    (pages / "big.js").write_bytes(b"x" * (8 << 20))
    settings = settings_in(tmp_path)
    settings = type(settings)(settings.access_file, port=0, pages=pages)
    with served(settings, lambda: None, QUICK) as web, socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.connect(("127.0.0.1", web.port))
        deaf.sendall(b"GET /assets/big.js HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert deaf.recv(1, socket.MSG_PEEK)  # it is being answered
        wait_until(lambda: not web.server.server_state.connections)


def test_a_spectator_that_does_not_read_is_dropped_and_the_others_see_nothing_of_it(
    table: LiveTable, tmp_path: Path
) -> None:
    with served(settings_in(tmp_path), table.found, Limits(unread_s=0.5)) as web, socket.socket() as deaf:
        hub = web.server.hub
        wait_until(lambda: hub.connected)
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.connect(("127.0.0.1", web.port))
        deaf.sendall(b"GET /api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
        wait_until(lambda: len(hub.spectators) == 1)
        with web.browser().stream() as events:
            until(events, "snapshot")
            wait_until(lambda: len(hub.spectators) == 2)
            published = recorded(hub)
            seen: list[Any] = []
            reading = threading.Thread(target=lambda: seen.extend(each.told for each in events))
            reading.start()

            def tapped() -> bool:
                table.ask(lambda evening: evening.tap(1, 2, 3))
                return len(hub.spectators) == 1 and len(published) > 100

            wait_until(tapped)
            told = list(published)
            wait_until(lambda: len(seen) >= len(told))
            web.server.hub.drop_all()
            reading.join()
            assert seen[: len(told)] == told


def recorded(hub: FeedHub) -> list[Any]:
    """All that is published from now on."""
    published: list[Any] = []
    publish = hub._publish

    def record(frame: Frame) -> None:
        published.append(frame.told)
        publish(frame)

    hub._publish = record  # type: ignore[method-assign]
    return published
