"""A world and a table in it: how far time goes, what is told, and what is left when a daemon has gone."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random

import pytest

from firmware_host.lab.surface import Surface
from firmware_host.lab.world.companion import remote_equipment
from firmware_host.lab.world.server import Happening, Server
from firmware_host.model.places import Button, Card, Colour, Pad
from firmware_host.model.times import MS, S
from firmware_host.run.equipment import Equipment
from firmware_host.run.table_files import load_profile
from hw.ports import Condition, Edge, Health, TagRead
from hw.rfid.presence import SINCE_EVER_NS
from hw.sim import link
from hw.sim.link import MessageSocket, NoWorld

CARDS = load_profile("cards4")
DICE = load_profile("dice4")
CARD = Card(2, Colour.RED, 5)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with world(tmp_path) as running:
        yield running


@pytest.fixture
def table(server: Server, tmp_path: Path) -> Iterator[Equipment]:
    equipment = remote_equipment(tmp_path / "world", CARDS)
    yield equipment
    equipment.close()


def reports(table: Equipment) -> list[object]:
    return [report for each in (*table.lines, *table.others) for report in each.read()]


def test_time_goes_as_far_as_it_may(table: Equipment) -> None:
    assert table.clock.now_ns() == 0
    assert table.clock.wait(3 * S, []) is False
    assert table.clock.now_ns() == 3 * S
    assert table.clock.wait(2 * S, []) is False
    assert table.clock.now_ns() == 3 * S


def test_it_stops_where_there_is_something_to_tell(server: Server, table: Equipment) -> None:
    contact = server.surface.contacts[Button(3)]
    server.surface.agenda.at(700 * MS, lambda: contact.set(True))
    server.surface.agenda.at(900 * MS, lambda: contact.set(False))
    assert table.clock.wait(2 * S, []) is True
    assert table.clock.now_ns() == 700 * MS
    assert table.active == [Button(3)]
    line = CARDS.line_of(Button(3))
    (edge,) = reports(table)
    assert isinstance(edge, Edge) and edge[:3] == (line, False, 700 * MS)
    assert table.clock.wait(None, []) is True
    assert table.clock.now_ns() == 900 * MS
    assert table.active == []


def test_what_was_not_read_yet_ends_the_next_wait(server: Server, table: Equipment) -> None:
    server.surface.agenda.at(1 * S, lambda: server.surface.contacts[Button(1)].set(True))
    descriptors = [each.fileno() for each in table.lines]
    assert table.clock.wait(None, descriptors) is True
    assert table.clock.wait(5 * S, descriptors) is True
    assert table.clock.now_ns() == 1 * S
    assert len(reports(table)) == 1


def test_a_wait_without_end_is_ended_by_a_descriptor(table: Equipment) -> None:
    wake = os.eventfd(0, os.EFD_NONBLOCK)
    threading.Timer(0.05, os.eventfd_write, (wake, 1)).start()
    began_s = time.monotonic()
    assert table.clock.wait(None, [wake]) is True
    assert 0.04 < time.monotonic() - began_s < 5.0
    assert table.clock.now_ns() == 0
    os.eventfd_read(wake)
    assert table.clock.wait(1 * S, [wake]) is False  # and the world answers as before
    assert table.clock.now_ns() == 1 * S
    os.close(wake)


def test_a_world_that_is_silent_is_asked_once_and_told_as_lost(
    server: Server, table: Equipment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link, "PROMPT_S", 0.05)
    monkeypatch.setattr(link, "ANSWER_S", 0.05)
    speaks, heard = threading.Event(), []

    def listener(message: list[object]) -> bool:
        heard.append(message[0])
        return speaks.wait()

    server.listener = listener
    wakers = [each.fileno() for each in table.others]
    told: list[object] = []
    for _ in range(3):
        assert table.clock.wait(1 * S, wakers) is True
        told += reports(table)
    assert [each.condition for each in told if isinstance(each, Health)] == [Condition.LOST]
    assert table.clock.now_ns() == 0
    speaks.set()
    while table.clock.now_ns() < 1 * S:
        table.clock.wait(1 * S, [])
    assert reports(table) == [Health("world", Condition.OK)]
    table.clock.wait(2 * S, [])
    assert heard == ["wait", "stop", "wait"]


def test_what_is_shown_can_be_seen(server: Server, table: Equipment) -> None:
    frame = bytes(range(7)) + bytes(len(server.surface.leds.frame) - 7)
    table.leds.show(frame)
    table.scoreboard.show(("Hello", "world"))
    table.dim(3)
    table.clock.wait(1 * S, [])
    assert server.surface.leds.frame == frame
    assert server.surface.display.lines == ("Hello", "world")
    assert [(page.t_ns, page.daemon) for page in server.surface.display.history] == [(0, 1)]
    with pytest.raises(ValueError, match="a frame of 2 lamps for a panel of 180"):
        table.leds.show(b"ab")


def test_a_table_that_is_closed_is_dark(server: Server, table: Equipment) -> None:
    table.leds.show(b"\7" * len(server.surface.leds.frame))
    table.scoreboard.show(("Hello", "world"))
    table.close()
    table.close()
    while server.connected:
        time.sleep(0.01)
    assert not any(server.surface.leds.frame)
    assert server.surface.display.lines == ("", "")


# -- daemons that come and go


def test_a_killed_daemon_leaves_a_world_that_goes_on(tmp_path: Path) -> None:
    server = Server(Surface(CARDS, Random(1)), tmp_path / "world")
    surface = server.surface
    code = (
        "import sys\nfrom pathlib import Path\n"
        "from firmware_host.run.table_files import load_profile\n"
        "from firmware_host.lab.world.companion import remote_equipment\n"
        "table = remote_equipment(Path(sys.argv[1]), load_profile('cards4'))\n"
        "table.scoreboard.show(('I am here', ''))\n"
        "table.clock.wait(None, [])\n"
    )
    daemon = subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "world")])
    step_until(server, Happening.CAME)
    assert server.pid == daemon.pid
    while server.waits == 0:
        server.step(0.1)
    surface.contacts[Button(2)].set(True)
    surface.hold_to(Pad(2), CARD)
    os.kill(daemon.pid, signal.SIGKILL)
    daemon.wait()
    step_until(server, Happening.LEFT)
    assert surface.display.lines == ("I am here", "")  # nobody has taken it away
    before_ns = surface.agenda.now_ns
    server.pass_time(20 * S)
    assert surface.agenda.now_ns == before_ns + 20 * S
    server.close()


def test_the_next_daemon_finds_things_as_they_are(server: Server, tmp_path: Path) -> None:
    surface = server.surface
    first = remote_equipment(tmp_path / "world", CARDS)
    surface.contacts[Button(2)].set(True)
    surface.hold_to(Pad(2), CARD)
    surface.lose("pad-4", "does not answer", "check its cable")
    while first.clock.now_ns() < 1 * S:
        first.clock.wait(1 * S, [])
    told = reports(first)
    assert {type(report) for report in told} == {Edge, TagRead, Health}
    first.close()
    while server.connected:
        time.sleep(0.01)

    second = remote_equipment(tmp_path / "world", CARDS)
    assert second.clock.now_ns() == 1 * S
    assert second.active == [Button(2)]
    while second.clock.now_ns() < 2 * S:
        second.clock.wait(2 * S, [])
    uid = surface.registry.uid_of(CARD)
    lost, read = sorted(reports(second), key=lambda report: isinstance(report, TagRead))
    assert lost == Health("pad-4", Condition.LOST, "does not answer", "check its cable")
    assert isinstance(read, TagRead)
    assert (read.reader, read.uid, read.present, read.earliest_ns) == (1, uid, True, SINCE_EVER_NS)
    assert 1 * S < read.latest_ns < 1 * S + 100 * MS
    second.close()


def test_one_daemon_at_a_time(server: Server, table: Equipment, tmp_path: Path) -> None:
    other = socket.socket(socket.AF_UNIX)
    other.connect(str(tmp_path / "world"))
    table.clock.wait(1 * S, [])
    assert server.surface.daemons == 1
    other.close()
    table.close()


# -- what can go wrong


def test_there_is_no_world(tmp_path: Path) -> None:
    with pytest.raises(NoWorld, match=r"no simulated world listens there \(.*\)$"):
        remote_equipment(tmp_path / "nothing", CARDS)


def test_it_is_another_table(server: Server, tmp_path: Path) -> None:
    with pytest.raises(NoWorld, match="another table: lines, lamps, readers differ"):
        remote_equipment(tmp_path / "world", DICE)
    table = remote_equipment(tmp_path / "world", CARDS)  # the right one is welcome still
    assert table.clock.now_ns() == 0
    table.close()


def test_the_world_ends(tmp_path: Path) -> None:
    server = Server(Surface(CARDS, Random(1)), tmp_path / "world")

    def end() -> None:
        step_until(server, Happening.SPOKE)
        server.close()

    ending = threading.Thread(target=end)
    ending.start()
    table = remote_equipment(tmp_path / "world", CARDS)
    with pytest.raises(NoWorld, match="the simulated world has gone"):
        table.clock.wait(None, [])
    ending.join()
    table.close()


@pytest.mark.parametrize(
    "said",
    [
        b"nonsense\n",
        b"[]\n",
        b'["wait"]\n',
        b'["frame","xyz"]\n',
        b'["frame","00"]\n',
        b'["page",1]\n',
        b'["dance"]\n',
        b"x" * ((1 << 20) + 70_000),
    ],
)
def test_a_daemon_that_talks_nonsense_is_hung_up_on(said: bytes, tmp_path: Path) -> None:
    server = Server(Surface(CARDS, Random(1)), tmp_path / "world")
    daemon = socket.socket(socket.AF_UNIX)
    daemon.connect(str(tmp_path / "world"))
    readers = [reader.name for reader in CARDS.readers]
    MessageSocket(daemon).send("hello", 1, sorted(CARDS.lines), 180, 20, readers)
    assert server.step() is Happening.CAME
    threading.Thread(target=lambda: _say(daemon, said)).start()
    step_until(server, Happening.LEFT)
    assert server.trouble
    assert not server.connected
    server.close()
    daemon.close()


def _say(daemon: socket.socket, said: bytes) -> None:
    with suppress(OSError):  # it is hung up on before the end
        daemon.sendall(said)


@pytest.mark.parametrize("said", [b"", b'["hello"]\n', b"what\n"])
def test_somebody_who_is_no_table_is_turned_away(said: bytes, tmp_path: Path) -> None:
    server = Server(Surface(CARDS, Random(1)), tmp_path / "world")
    stranger = socket.socket(socket.AF_UNIX)
    stranger.connect(str(tmp_path / "world"))
    stranger.sendall(said)
    stranger.shutdown(socket.SHUT_WR)
    assert server.step() is Happening.LEFT
    assert server.trouble
    assert not server.connected
    stranger.close()
    server.close()


# -- by the real clock


def test_a_world_with_a_speed_goes_by_the_real_clock(tmp_path: Path) -> None:
    with world(tmp_path, speed=4.0) as server:
        table = remote_equipment(tmp_path / "world", CARDS)
        contact = server.surface.contacts[Button(1)]
        start_ns, began_s = table.clock.now_ns(), time.monotonic()
        server.surface.agenda.at(start_ns + 400 * MS, lambda: contact.set(True))
        assert table.clock.wait(start_ns + 2 * S, []) is True
        took_s = time.monotonic() - began_s
        assert table.clock.now_ns() >= start_ns + 400 * MS
        assert took_s > 0.09
        table.close()


def test_there_time_goes_on_while_nobody_waits(tmp_path: Path) -> None:
    with world(tmp_path, speed=10.0) as server:
        time.sleep(0.1)
        table = remote_equipment(tmp_path / "world", CARDS)
        first_ns = table.clock.now_ns()
        assert first_ns > 100 * MS  # ten times real time; a busy machine may come round to it late
        server.surface.contacts[Button(1)].set(True)
        time.sleep(0.1)
        assert table.clock.wait(first_ns, []) is True  # what happened meanwhile is told at once
        assert table.clock.now_ns() > first_ns
        table.close()


def test_there_a_wait_is_ended_by_a_descriptor(tmp_path: Path) -> None:
    with world(tmp_path, speed=1.0):
        table = remote_equipment(tmp_path / "world", CARDS)
        wake = os.eventfd(0, os.EFD_NONBLOCK)
        first_ns = table.clock.now_ns()
        threading.Timer(0.1, os.eventfd_write, (wake, 1)).start()
        assert table.clock.wait(first_ns + 60 * S, [wake]) is True
        assert 90 * MS < table.clock.now_ns() - first_ns < 20 * S
        table.close()
        os.close(wake)


# -- a world that falls silent


def test_who_is_woken_goes_on_though_the_world_is_silent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hw.sim.link.ANSWER_S", 0.05)
    server = Server(Surface(CARDS, Random(1)), tmp_path / "world")
    opened: list[Equipment] = []
    thread = threading.Thread(target=lambda: opened.append(remote_equipment(tmp_path / "world", CARDS)))
    thread.start()
    step_until(server, Happening.CAME)
    thread.join()
    (table,) = opened
    waker = os.eventfd(0)
    try:
        threading.Timer(0.1, os.eventfd_write, (waker, 1)).start()
        assert table.clock.wait(3 * S, [waker]) is True
        assert table.clock.now_ns() == 0
        os.eventfd_read(waker)
        server.step()  # the wait
        server.step()  # the stop, which is for the same one
        assert table.clock.wait(3 * S, [waker]) is False
        assert table.clock.now_ns() == 3 * S
    finally:
        os.close(waker)
        table.close()
        server.close()


def test_a_world_that_does_not_greet_is_given_up_when_somebody_calls(tmp_path: Path) -> None:
    waker = os.eventfd(1)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "world"))
        listening.listen()
        with pytest.raises(NoWorld, match="does not answer"):
            remote_equipment(tmp_path / "world", CARDS, [waker])
    os.close(waker)


STEP_S = 0.005


@contextmanager
def world(folder: Path, profile: str = "cards4", speed: float | None = None) -> Iterator[Server]:
    """A world that answers until the end of the block."""
    server = Server(Surface(load_profile(profile), Random(1)), folder / "world", speed)
    over = threading.Event()

    def live() -> None:
        while not over.is_set():
            server.step(STEP_S)

    thread = threading.Thread(target=live)
    thread.start()
    try:
        yield server
    finally:
        over.set()
        thread.join()
        server.close()


def step_until(server: Server, happening: Happening) -> None:
    """Step a world that no thread steps, until that has happened."""
    for _ in range(1000):
        if server.step(0.01) is happening:
            return
    raise AssertionError(f"never {happening}")
