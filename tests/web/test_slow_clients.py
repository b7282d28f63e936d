"""Clients that take their time, or take too much: they are cut off, and nobody else notices."""

from __future__ import annotations

import asyncio
import errno
import json
import logging
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from firmware_host.feed.addresses import FEED_SOCKET, HANDS_SOCKET
from firmware_host.web import web_server
from firmware_host.web.feed_hub import FeedHub, Frame
from firmware_host.web.live_routes import visitor_link
from firmware_host.web.shares import Share
from firmware_host.web.web_table import Limits
from tests.web.browsers import PATIENCE_S, received, until, wait_until
from tests.web.live_tables import LiveTable
from tests.web.serving import Served, served, settings_in

GET = b"GET /api/me HTTP/1.1\r\nHost: localhost\r\n"
POST = b"POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
ORIGIN = b"Origin: http://localhost\r\n"
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


BEGUN = {
    "nothing": b"",
    "a word": b"GET",
    "no end of the head": GET,
    "the second request": GET + b"\r\n" + GET,
    "no end of the body": POST + b"Content-Length: 9000\r\n\r\n{",
    "chunks": POST + b"Transfer-Encoding: chunked\r\n\r\n5\r\n",
}


def test_requests_that_trickle_in_and_clients_that_say_nothing_are_cut_off(tmp_path: Path) -> None:
    with (
        served(settings_in(tmp_path), lambda: None, QUICK) as web,
        ThreadPoolExecutor(len(BEGUN)) as pool,
        ExitStack() as slow,
    ):
        silent = slow.enter_context(connected(web))
        each = {name: slow.enter_context(connected(web)) for name in BEGUN}
        for name, connection in each.items():
            connection.sendall(BEGUN[name])
        cut_off = pool.map(lambda connection: drip(connection, b"X-a: b\r\n"), each.values())
        assert dict(zip(each, cut_off, strict=True)) == dict.fromkeys(BEGUN, True)
        assert received(silent) == b""
        wait_until(lambda: not web.server.server_state.connections)
        assert web.browser().get("/api/me").status == 200


def test_many_slow_ones_keep_nobody_out(tmp_path: Path) -> None:
    limits = Limits(connections=Share(20))
    with served(settings_in(tmp_path), lambda: None, limits) as web, ExitStack() as slow:
        for number in range(60):
            connection = slow.enter_context(connected(web, f"127.0.2.{number + 1}"))
            connection.sendall(GET)
            if number % 10 == 0:
                assert web.browser().get("/api/me").status == 200
        wait_until(lambda: len(web.server.server_state.connections) <= 21)


def test_requests_without_their_bodies_keep_nobody_out(tmp_path: Path) -> None:
    """They are renewed as soon as they are cut off; somebody else gets his answer each time."""
    limits = Limits(connections=Share(10))
    with served(settings_in(tmp_path), lambda: None, limits) as web, ExitStack() as slow:
        for number in range(30):
            connection = slow.enter_context(connected(web, f"127.0.2.{number % 3 + 1}"))
            connection.sendall(POST + ORIGIN + b"Content-Length: 20\r\n\r\n")
            if number >= 10:
                assert web.browser().get("/api/me").status == 200
        with connected(web) as quick:
            quick.sendall(GET)
            for _ in range(3):
                slow.enter_context(connected(web, "127.0.2.1")).sendall(GET)
            quick.sendall(b"Connection: close\r\n\r\n")
            assert received(quick).startswith(b"HTTP/1.1 200"), "it is not cut for one that came later"


def test_a_fault_of_clients_is_one_line_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with served(settings_in(tmp_path), lambda: None) as web:
        head = POST + ORIGIN
        for _ in range(5):
            with connected(web) as half:
                half.sendall(head + b"Content-Length: 20\r\n\r\n{")
            with connected(web) as broken:
                broken.sendall(head + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n")
                received(broken)
            with connected(web) as answered:
                answered.sendall(GET + b"Transfer-Encoding: chunked\r\n\r\n")
                assert answered.recv(1000).startswith(b"HTTP/1.1 200")
                answered.sendall(b"zz\r\n")
                received(answered)
        counts = web.server.table.tally.counts
        wait_until(lambda: sum(counts.values()) == 20)
        assert web.browser().get("/api/me").status == 200
    said = [record.getMessage() for record in caplog.records if record.name != "uvicorn.error"]
    assert sorted(said) == [f"{what}; if it happens again, it is only counted" for what in sorted(counts)]
    assert len(said) == 2 and not [each for each in caplog.records if each.levelno > logging.WARNING]


def test_without_file_descriptors_it_waits_and_says_so_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    accept, tried, few = socket.socket.accept, [], True

    def failing(listening: socket.socket) -> tuple[socket.socket, Any]:
        tried.append(time.monotonic())
        if few:
            raise OSError(errno.EMFILE, "Too many open files")
        return accept(listening)

    monkeypatch.setattr(web_server, "PAUSE_S", 0.05)
    monkeypatch.setattr(socket.socket, "accept", failing)
    with served(settings_in(tmp_path), lambda: None) as web, connected(web) as waiting:
        waiting.sendall(GET + b"Connection: close\r\n\r\n")
        wait_until(lambda: len(tried) > 3)
        assert tried[3] - tried[0] >= 0.15
        few = False
        assert received(waiting).startswith(b"HTTP/1.1 200")
    said = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert said == [
        "no client can connect for a moment: Too many open files; if it happens again, it is only counted"
    ]


def test_who_is_served_is_not_pushed_out(tmp_path: Path, table: LiveTable) -> None:
    limits = Limits(connections=Share(5))
    with served(settings_in(tmp_path), table.found, limits) as web, web.browser().stream() as events:
        until(events, "snapshot")
        with ExitStack() as slow:
            for _ in range(20):
                slow.enter_context(connected(web)).sendall(GET)
            until(events, "alive")
            until(events, "alive")


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


pytest.importorskip("uvicorn", reason="the extra 'web' is not installed")


SNAPSHOT = {"is": "snapshot", "session": "7", "n": 3, "t_ns": 1, "state": {}, "lamps": "", "page": []}
LINES = json.dumps(SNAPSHOT).encode() + b"\n" + b'{"is":"alive","t_ns":2}\n' * 50
PATIENCE_S = 60.0


async def table_at(path: Path) -> asyncio.Server:
    """A table that has much to say at once, and then nothing."""

    async def tell(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(LINES)
        try:
            await reader.read()
        finally:
            writer.close()

    return await asyncio.start_unix_server(tell, str(path))


def cancel_after(turns: int, task: asyncio.Task[None]) -> None:
    """Cancel it when the loop has turned so often."""
    if turns:
        asyncio.get_running_loop().call_soon(cancel_after, turns - 1, task)
    else:
        task.cancel()


async def ends(begin: Callable[[Callable[[], None]], asyncio.Task[None]], turns: int) -> None:
    """Whatever has begun is cancelled so many turns after its first message, and ends."""
    cancelled = False

    def heard() -> None:
        nonlocal cancelled
        if not cancelled:
            cancelled = True
            cancel_after(turns, task)

    task = begin(heard)
    done, _ = await asyncio.wait({task}, timeout=PATIENCE_S)
    assert done and task.cancelled()


@pytest.mark.parametrize("turns", range(4))
def test_the_hub_ends(turns: int, tmp_path: Path) -> None:
    async def folder() -> Path:
        return tmp_path

    def begin(heard: Callable[[], None]) -> asyncio.Task[None]:
        hub = FeedHub(folder)
        hub.readers.append(lambda told: heard())
        return asyncio.create_task(hub.run())

    async def run() -> None:
        async with await table_at(tmp_path / FEED_SOCKET):
            await ends(begin, turns)

    asyncio.run(run())


@pytest.mark.parametrize("turns", range(4))
def test_what_a_visitor_is_told_ends(turns: int, tmp_path: Path) -> None:
    async def listen(heard: Callable[[], None]) -> None:
        link = await visitor_link(tmp_path / HANDS_SOCKET)
        try:
            async for _ in link.news():
                heard()
                await asyncio.sleep(0)
        finally:
            await link.close()

    async def run() -> None:
        async with await table_at(tmp_path / HANDS_SOCKET):
            await ends(lambda heard: asyncio.create_task(listen(heard)), turns)

    asyncio.run(run())
