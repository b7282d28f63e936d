"""A recorded session that is told again: the same as when it was played, at the pace that was asked for."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from firmware_host.feed.addresses import FEED_SOCKET
from firmware_host.lab.cli.replay import IDLE_NS, LEAD_NS, Playback
from firmware_host.model.times import S
from firmware_host.run.recorded_sessions import first_difference
from firmware_host.run.table_sockets import FeedOutlet
from firmware_host.store.result_rows import Audits
from firmware_host.store.store_reader import SessionLog, reading
from tests.feed.telling import read
from tests.store.conftest import club

__all__ = ["club"]


def now_text() -> str:
    return "2026-11-18T20:00:00"


@pytest.fixture
def outlet(tmp_path: Path) -> Iterator[FeedOutlet]:
    each = FeedOutlet(tmp_path)
    yield each
    each.close()


@pytest.fixture
def session_log(club: Path) -> SessionLog:
    with reading(str(club)) as book:
        return book.session_log(book.session_ids()[2])


def waits_of(outlet: FeedOutlet, session_log: SessionLog, speed: float, from_ns: int = 0) -> list[float]:
    waits: list[float] = []
    recorded = Playback(outlet, speed, waits.append).play(session_log, Audits(now_text), now_text, from_ns)
    assert first_difference(session_log.decisions, recorded.journal.decisions) == ""
    return waits


def test_it_takes_as_long_as_it_took_by_so_many_times(outlet: FeedOutlet, session_log: SessionLog) -> None:
    whole_s = (session_log.last_ns - session_log.head.t_ns) / S
    once, four_times = (sum(waits_of(outlet, session_log, speed)) for speed in (1, 4))
    # People are not waited for while nobody plays; the sum of many waits is not exact.
    assert whole_s * 0.8 < once <= whole_s * (1 + 1e-9)
    assert four_times == pytest.approx(once / 4)
    assert max(waits_of(outlet, session_log, 1)) <= max(IDLE_NS, 40 * S) / S


def test_what_comes_before_takes_no_time(outlet: FeedOutlet, session_log: SessionLog) -> None:
    waits = waits_of(outlet, session_log, 1, session_log.last_ns - 10 * S)
    assert sum(waits) == pytest.approx((10 * S + LEAD_NS) / S, abs=IDLE_NS / S)


def test_readers_hear_all_of_it(outlet: FeedOutlet, session_log: SessionLog, tmp_path: Path) -> None:
    heard = b""
    with socket.socket(socket.AF_UNIX) as reader:
        reader.connect(str(tmp_path / FEED_SOCKET))
        reader.sendall(b"{}\n")

        def wait(for_s: float) -> None:
            nonlocal heard
            outlet.look()
            with suppress(BlockingIOError):
                heard += reader.recv(1 << 20, socket.MSG_DONTWAIT)

        for _ in range(3):
            wait(0)
        Playback(outlet, 1, wait).play(session_log, Audits(now_text), now_text)
        wait(0)
    messages = [read(line) for line in heard.splitlines(keepends=True)]
    told = sum(len(message.get("effects", ())) for message in messages)
    assert [message["is"] for message in messages[:2]] == ["hello", "snapshot"]
    assert messages[1]["n"] + told == len(session_log.decisions)
    assert messages[-1]["t_ns"] <= session_log.last_ns


def test_real_time_passes_while_it_serves_readers(outlet: FeedOutlet, session_log: SessionLog) -> None:
    recorded = Playback(outlet, 1_000_000).play(session_log, Audits(now_text), now_text)
    assert first_difference(session_log.decisions, recorded.journal.decisions) == ""
