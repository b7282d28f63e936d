"""A serial cable in virtual time: what goes in comes out, when the line has had the time."""

from __future__ import annotations

import errno

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.sim.agenda import Agenda
from hw.sim.cable import BUFFER, Cable

MS = 1_000_000
SECOND = 1_000 * MS


class Peer:
    """A far end that keeps what it receives, and sends what it is given when that is due."""

    def __init__(self) -> None:
        self.heard: list[tuple[int, bytes]] = []
        self.power: list[tuple[int, bool]] = []
        self.outgoing = b""
        self.due_ns: list[int] = []
        self.stepped: list[int] = []
        self.repeats = False
        self.late = 0

    def opened(self, now_ns: int) -> None:
        self.power.append((now_ns, True))

    def closed(self, now_ns: int) -> None:
        self.power.append((now_ns, False))

    def received(self, data: bytes, now_ns: int) -> None:
        self.heard.append((now_ns, data))
        if self.repeats:
            self.outgoing += data

    def step(self, now_ns: int) -> int | None:
        self.stepped.append(now_ns)
        if self.late:
            self.late -= 1
            return now_ns - 1
        while self.due_ns and self.due_ns[0] <= now_ns:
            self.outgoing += b"due"
            self.due_ns.pop(0)
        return self.due_ns[0] if self.due_ns else None

    def take_outgoing(self) -> bytes:
        data, self.outgoing = self.outgoing, b""
        return data


class CableBench:
    def __init__(self, baud: int = 10_000) -> None:
        self.agenda = Agenda()
        self.peer = Peer()
        self.cable = Cable(self.peer, self.agenda, baud)  # a byte takes a millisecond
        self.woken: list[int] = []
        self.cable.wake = lambda: self.woken.append(self.agenda.now_ns)

    def run(self, milliseconds: int) -> None:
        self.agenda.run(self.agenda.now_ns + milliseconds * MS)


@pytest.fixture
def bench() -> CableBench:
    return CableBench()


def test_bytes_take_their_time_there_and_back(bench: CableBench) -> None:
    bench.peer.repeats = True
    port = bench.cable.open()
    assert port.fileno() < 0
    assert port.write(b"hello") == 5
    bench.run(5)
    assert bench.peer.heard == [(5 * MS, b"hello")]
    assert port.read() == b""
    assert bench.woken == []
    bench.run(5)
    assert bench.woken == [10 * MS]
    assert port.read() == b"hello"
    assert port.read() == b""


@given(st.lists(st.tuples(st.binary(min_size=1, max_size=100), st.integers(0, 50)), max_size=10))
def test_nothing_is_lost_and_nothing_overtakes(pieces: list[tuple[bytes, int]]) -> None:
    bench = CableBench()
    bench.peer.repeats = True
    port = bench.cable.open()
    for data, pause_ms in pieces:
        while data:
            data = data[port.write(data) :]
        bench.run(pause_ms)
    bench.run(3_000)
    sent = b"".join(data for data, _ in pieces)
    assert b"".join(data for _, data in bench.peer.heard) == sent
    assert port.read() == sent


def test_it_takes_only_so_much_in_advance(bench: CableBench) -> None:
    port = bench.cable.open()
    taken = 0
    while sent := port.write(bytes(1000)):
        taken += sent
    assert taken == BUFFER
    bench.run(100)
    assert 0 < port.write(bytes(1000)) <= 100


def test_a_line_that_stands_still_takes_nothing_and_gives_nothing(bench: CableBench) -> None:
    port = bench.cable.open()
    bench.cable.baud = 0
    assert port.write(b"hello") == 0
    bench.peer.due_ns = [5 * MS]
    bench.cable.run_far_end()
    bench.run(100)
    assert port.read() == b""
    bench.cable.baud = 10_000
    assert port.write(b"hello") == 5


def test_the_far_end_is_stepped_when_it_is_due(bench: CableBench) -> None:
    port = bench.cable.open()
    bench.peer.due_ns = [20 * MS, 30 * MS]
    bench.cable.run_far_end()
    bench.run(25)
    assert port.read() == b"due"
    bench.run(25)
    assert port.read() == b"due"


def test_a_far_end_that_is_late_with_itself_does_not_stop_time(bench: CableBench) -> None:
    bench.peer.late = 5
    bench.cable.run_far_end()
    bench.run(1)
    assert bench.peer.late == 0
    assert bench.agenda.now_ns == 1 * MS


def test_garble_changes_what_passes_either_way(bench: CableBench) -> None:
    bench.peer.repeats = True
    bench.cable.garble = lambda data: data + b"!"
    port = bench.cable.open()
    port.write(b"a")
    bench.run(10)
    assert bench.peer.heard[0][1] == b"a!"
    assert port.read() == b"a!!"


# -- the plug


def test_unplugging_breaks_the_port_and_takes_the_power(bench: CableBench) -> None:
    port = bench.cable.open()
    bench.run(10)
    bench.cable.unplug()
    bench.cable.unplug()
    assert bench.woken == [10 * MS]
    assert bench.peer.power == [(0, True), (10 * MS, False)]
    with pytest.raises(OSError, match="Input/output error") as broken:
        port.read()
    assert broken.value.errno == errno.EIO
    with pytest.raises(OSError, match="Input/output error"):
        port.write(b"a")
    with pytest.raises(FileNotFoundError):
        bench.cable.open()


def test_what_was_under_way_is_lost(bench: CableBench) -> None:
    bench.peer.repeats = True
    port = bench.cable.open()
    port.write(b"there")
    bench.run(5)
    port.write(b"gone")
    bench.cable.unplug()
    bench.run(100)
    assert bench.peer.heard == [(5 * MS, b"there")]
    bench.cable.plug()
    assert bench.cable.open().read() == b""


def test_plugged_in_again_it_begins_from_scratch(bench: CableBench) -> None:
    bench.cable.open()
    bench.cable.unplug()
    bench.run(10)
    bench.cable.plug()
    bench.cable.plug()
    assert bench.peer.power[-1] == (10 * MS, True)
    assert len(bench.peer.power) == 3
    port = bench.cable.open()
    bench.peer.repeats = True
    port.write(b"hello")
    bench.run(10)
    assert port.read() == b"hello"


def test_a_far_end_without_power_is_not_stepped(bench: CableBench) -> None:
    bench.peer.due_ns = [20 * MS]
    bench.cable.run_far_end()
    bench.cable.unplug()
    stepped = len(bench.peer.stepped)
    bench.run(100)
    assert len(bench.peer.stepped) == stepped
    bench.cable.plug()
    assert len(bench.peer.stepped) == stepped + 1


def test_a_closed_port_hears_no_more(bench: CableBench) -> None:
    bench.peer.repeats = True
    port = bench.cable.open()
    port.write(b"hello")
    port.close()
    bench.run(20)
    assert port.incoming == b""
    assert bench.woken == []
