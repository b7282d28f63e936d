"""The stream of a page: a snapshot, then what changes, and no gap whatever is restarted."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from firmware_host.feed.addresses import FEED_SOCKET
from firmware_host.feed.known_state import names_in, patched
from firmware_host.web import feed_hub
from firmware_host.web.feed_hub import FeedHub
from firmware_host.web.shares import Share
from firmware_host.web.web_table import FoundTable, Limits, WebSettings
from tests.web.browsers import Event, until, wait_until
from tests.web.live_tables import LiveTable
from tests.web.serving import Served, served, settings_in
from tests.web.test_operators import operator

NAMES = {1: "Ada Secret", 2: "Bob Secret"}
LATER = {3: "Cleo Secret"}
PROXIED = {"X-Forwarded-For": "192.0.2.1"}
"""Whoever comes through a proxy is no client of this machine."""


def test_a_page_gets_a_snapshot_and_then_what_changes(table: LiveTable, web: Served) -> None:
    with web.browser().stream() as events:
        assert next(events).told["is"] == "hello"
        snapshot = next(events)
        assert snapshot.told["is"] == "snapshot" and snapshot.told["state"]["phase"] == "attract"
        assert snapshot.id == f"{snapshot.told['session']}:{snapshot.told['n']}"
        table.ask(lambda evening: evening.tap(1))
        state = snapshot.told["state"]
        while state["phase"] != "join":
            state = patched(state, until(events, "step").told.get("state", {}))
        assert state["seats"]["1"]["seated"] is True


def test_a_page_that_comes_back_gets_what_it_has_missed(table: LiveTable, web: Served) -> None:
    with web.browser().stream() as events:
        state_before = until(events, "snapshot").told["state"]
        table.ask(lambda evening: evening.tap(1))
        while state_before["phase"] != "join":
            before = until(events, "step")
            state_before = patched(state_before, before.told.get("state", {}))
    table.ask(lambda evening: evening.tap(2))
    for browser_says in ({"since": before.id}, {"headers": {"Last-Event-ID": before.id}}):
        with web.browser().stream(**browser_says) as events:
            state = state_before
            while not state["seats"]["2"]["seated"]:
                event = next(events)
                assert event.told["is"] in ("hello", "step", "felt", "alive")
                state = patched(state, event.told.get("state", {}))


def test_a_page_hears_what_had_no_number_of_its_own_while_no_web_process_ran(
    table: LiveTable, tmp_path: Path
) -> None:
    with served(settings_in(tmp_path), table.found) as web, web.browser().stream() as events:
        before = until(events, "snapshot")
    table.names = NAMES
    with served(settings_in(tmp_path), table.found) as web:
        wait_until(lambda: names_in(web.server.hub.state))
        with web.browser().stream(since=before.id) as events:
            again = until(events, "snapshot")
    assert named(again) == NAMES and again.id == before.id, "nothing was decided meanwhile"


@pytest.mark.parametrize(
    "since", ["x", "1:x", "0:0", ":", "1:-1", "9" * 70 + ":1", "%00:1", "%ff:1", "a:9999999999"]
)
def test_whatever_a_page_claims_to_know_it_gets_a_snapshot(since: str, lasting_web: Served) -> None:
    with lasting_web.browser().stream(since) as events:
        assert [next(events).told["is"] for _ in range(2)] == ["hello", "snapshot"]


def test_a_restarted_table_is_found_again(table: LiveTable, web: Served) -> None:
    with web.browser().stream() as events:
        until(events, "snapshot")
        for _ in range(2):
            table.stop()
            assert until(events, "lost").told["why"]
            with web.browser().stream() as others:  # who comes meanwhile is told so, and sees the last state
                assert {next(others).told["is"] for _ in range(3)} == {"hello", "lost", "snapshot"}
            table.start()
            assert until(events, "snapshot").told["state"]["phase"] == "attract"
            assert until(events, "alive")


def test_pages_wait_for_a_table(tmp_path: Path) -> None:
    folder = tmp_path / "table"
    folder.mkdir()
    table = LiveTable(folder)
    try:
        with served(settings_in(tmp_path), table.found) as web, web.browser().stream() as events:
            assert until(events, "lost").told["why"]
            wait_until(lambda: until(events, "lost").told["why"] == "no table is running")
            table.start()
            assert until(events, "snapshot").told["state"]["table"]["game"] == "dice"
    finally:
        table.stop()


def test_names_that_are_hidden_are_in_no_public_stream(tmp_path: Path) -> None:
    table = LiveTable(tmp_path, names=NAMES)
    table.start()
    try:
        hidden = WebSettings(tmp_path / "access.json", port=0, names=False)
        with served(hidden, table.found) as web:
            wait_until(lambda: web.server.hub.state)
            with web.browser().stream() as events:
                seen = [next(events) for _ in range(2)]
                table.ask(lambda evening: evening.tap(1))
                seen += [until(events, "step"), until(events, "alive")]
                assert "Secret" not in str(seen)
                assert web.browser().get("/api/me").json["names"] is False
            browser = operator(table, web)
            with browser.stream() as events:
                assert named(until(events, "snapshot")) == NAMES
                assert browser.post("/api/logout", {}).status == 200
                table.names = LATER
                heard: list[Event | None] = []

                def at_the_end() -> bool:
                    heard.append(next(events, None))
                    return heard[-1] is None

                wait_until(at_the_end)
                assert "Secret" not in str(heard)
        with served(settings_in(tmp_path), table.found) as web:
            wait_until(lambda: web.server.hub.state)
            with web.browser().stream() as events:
                assert named(until(events, "snapshot")) == LATER
    finally:
        table.stop()


def test_a_page_that_comes_back_hears_no_name_that_is_gone(table: LiveTable, web: Served) -> None:
    with web.browser().stream() as events:
        before = until(events, "snapshot")
    for names in (NAMES, None):
        table.names = names
        wait_until(lambda names=names: names_in(web.server.hub.state) == set((names or {}).values()))
    with web.browser().stream(since=before.id) as events:
        seen = [next(events) for _ in range(2)]
    assert [each.told["is"] for each in seen] == ["hello", "snapshot"] and "Secret" not in str(seen)


def named(snapshot: Event) -> dict[int, str]:
    seats = snapshot.told["state"]["seats"]
    return {int(seat): each["name"] for seat, each in seats.items() if "name" in each}


def test_a_message_is_made_into_bytes_once_for_all(
    table: LiveTable, web: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    real = feed_hub.event_bytes

    def counting(told: dict[str, object], line: bytes | None = None) -> bytes:
        made.append(str(told["is"]))
        return real(told, line)

    streams = [web.browser().stream() for _ in range(20)]
    opened = [each.__enter__() for each in streams]
    for events in opened:
        until(events, "snapshot")
    monkeypatch.setattr(feed_hub, "event_bytes", counting)
    table.ask(lambda evening: evening.tap(1))
    seen = [until(events, "felt") for events in opened]
    assert len(set(map(str, seen))) == 1
    assert made.count("felt") == 1
    for each in streams:
        each.__exit__(None, None, None)


def test_only_asking_for_the_head_of_a_stream_ends_at_once(lasting_web: Served) -> None:
    head = b"HEAD /api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with socket.create_connection(("127.0.0.1", lasting_web.port), 5) as connection:
        for _ in range(2):
            connection.sendall(head)
            said = b""
            while not said.endswith(b"\r\n\r\n"):
                said += connection.recv(4096)
            assert said.startswith(b"HTTP/1.1 200") and b"text/event-stream" in said
    assert not lasting_web.server.hub.spectators


def test_whoever_opens_all_streams_keeps_nobody_out(tmp_path: Path) -> None:
    with served(settings_in(tmp_path), lambda: None, Limits(streams=Share(12, kept=2))) as web:
        strangers = [f"127.0.3.{number}" for number in range(1, 4)]
        with ExitStack() as all_:
            opened = [
                all_.enter_context(web.browser(strangers[number % 3]).stream(headers=PROXIED))
                for number in range(10)
            ]
            wait_until(lambda: len(web.server.hub.spectators) == 10)
            eleventh = web.browser(strangers[0]).stream(headers=PROXIED)
            with pytest.raises(AssertionError, match="too many spectators"), eleventh:
                pass
            with web.browser("127.0.3.9").stream(headers=PROXIED) as events:
                assert next(events)
                with web.browser().stream() as own, web.browser().stream():
                    assert next(own), "two are kept for this machine"
            wait_until(lambda: len(web.server.hub.spectators) == 9)
            assert list(opened[0]), "it has ended: the first one had to make room"


def test_there_is_a_limit_on_spectators(table: LiveTable, tmp_path: Path) -> None:
    with served(settings_in(tmp_path), table.found, Limits(streams=Share(2))) as web:
        with web.browser().stream(), web.browser().stream():
            wait_until(lambda: len(web.server.hub.spectators) == 2)
            reply = web.browser().get("/api/stream")
            assert reply.status == 503 and "retry-after" in reply.headers
        wait_until(lambda: not web.server.hub.spectators)
        with web.browser().stream() as events:
            assert next(events)


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


async def no_table() -> None:
    """There is none."""


def test_a_name_that_is_gone_is_in_no_step_for_a_page_that_comes_back() -> None:
    about: dict[str, Any] = {"session": "7", "t_ns": 1}
    told: list[dict[str, Any]] = [
        {"is": "snapshot", "n": 1, "state": {"seats": {"1": {}}}, **about},
        {"is": "step", "n": 2, "effects": [{}], **about},
        {"is": "step", "n": 3, "state": {"seats": {"1": {"name": "Anna"}}}, **about},
        {"is": "step", "n": 4, "state": {"seats": {"1": {"name": None}}}, **about},
    ]

    async def after(heard: int) -> bytes:
        """What a page gets that knows all up to 2."""
        hub = FeedHub(no_table)
        for each in told[:heard]:
            hub._hear(each, json.dumps(each).encode())
        return b"".join(frame.full for frame in hub._beginning(("7", 2)))

    assert b"Anna" in asyncio.run(after(3))
    gone = asyncio.run(after(4))
    assert b"Anna" not in gone and b"snapshot" in gone
