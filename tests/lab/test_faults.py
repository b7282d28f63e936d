"""Faults on command: what may be written, what a daemon hears and people see, and the socket for it."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from firmware_host.lab.chips_table import ChipTable
from firmware_host.lab.faults import (
    CHIP_FAULTS,
    SURFACE_FAULTS,
    USUAL_LENGTH_NS,
    USUAL_START_NS,
    Fault,
    FaultBook,
    FaultSocket,
    PlannedFault,
    parse_planned,
    plan,
    possible,
)
from firmware_host.lab.party import Invitation, even_deal, hold_party
from firmware_host.lab.surface import Surface
from firmware_host.model.errors import BadSettings, MalformedText
from firmware_host.model.places import Button, Card, Colour, Pad, Slot
from firmware_host.model.times import MS, S
from firmware_host.run.line_server import SocketUnusable
from firmware_host.run.table_files import load_profile
from firmware_host.show.lamps import frame_length
from hw.ports import Condition, Edge, Gap, Health, TagRead
from hw.sim.link import Report

# -- planned, on chips


@pytest.fixture(scope="module")
def table() -> ChipTable:
    profile = load_profile("dice4")
    made = hold_party(Invitation(profile=profile, deal=even_deal(profile, 4)), 1, chips=True).table
    assert isinstance(made, ChipTable)
    return made


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("unplug scoreboard", PlannedFault("unplug", "scoreboard", USUAL_START_NS, USUAL_LENGTH_NS)),
        ("storm seat 2", PlannedFault("storm", "seat 2", USUAL_START_NS, USUAL_LENGTH_NS)),
        ("storm red 3 4s", PlannedFault("storm", "red 3", 4 * S, USUAL_LENGTH_NS)),
        ("nack i2c 1.5s 2min", PlannedFault("nack", "i2c", 1_500_000_000, 120 * S)),
    ],
)
def test_times_may_be_left_out(text: str, fault: PlannedFault) -> None:
    assert parse_planned(text) == fault
    assert parse_planned(str(fault)) == fault


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is not a fault; it looks like 'unplug scoreboard 10s 5s'"),
        ("unplug", "'unplug' is not a fault; it looks like 'unplug scoreboard 10s 5s'"),
        ("unplugg left", "fault 'unplugg' is unknown; did you mean 'unplug'?"),
        ("zzz left", f"fault 'zzz' is unknown; known: {', '.join(CHIP_FAULTS)}"),
        ("unplug left 5x", "'5x' is no duration; write a number and ns, us, ms, s or min, as in 200ms"),
    ],
)
def test_what_is_no_fault_is_told_why(text: str, message: str) -> None:
    with pytest.raises(MalformedText) as refused:
        parse_planned(text)
    assert str(refused.value) == message


def test_each_fault_names_whom_it_can_happen_to(table: ChipTable) -> None:
    with pytest.raises(BadSettings) as refused:
        plan([parse_planned("slow left"), parse_planned("stuck red 1"), parse_planned("unplug left")], table)
    assert refused.value.faults == [
        "fault 'slow': 'left' can't have it; allowed: scoreboard",
        "fault 'stuck': 'red 1' can't have it; allowed: seat 1, seat 2, seat 3, seat 4",
    ]


def test_every_kind_has_somebody_to_happen_to(table: ChipTable) -> None:
    assert all(kind.targets(table) for kind in CHIP_FAULTS.values())


# -- at once, in the world of a daemon

LEFT, RIGHT = Slot(Colour.RED, 1), Slot(Colour.BLUE, 1)
TEXT = ("Start", "1:6 2:6")


def surface_of(profile: str = "dice4") -> Surface:
    surface = Surface(load_profile(profile), Random(1))
    surface.meet()
    return surface


@pytest.fixture
def surface() -> Surface:
    return surface_of()


@pytest.fixture
def book(surface: Surface) -> FaultBook:
    return FaultBook(surface)


def live(surface: Surface, length_ns: int) -> list[Report]:
    """Let time pass; what is reported."""
    surface.agenda.run(surface.agenda.now_ns + length_ns)
    return surface.reports()


def test_a_lost_expander_says_nothing_and_is_read_when_it_is_back(surface: Surface, book: FaultBook) -> None:
    surface.contacts[LEFT].set(True)
    book.begin("unplug left")
    lost = Health("left", Condition.LOST, "does not answer", "check its power and its wires")
    assert [(type(each), getattr(each, "high", None)) for each in live(surface, 0)] == [
        (Edge, False),  # from before
        (Health, None),
    ]
    assert surface.lost == {"left"} and lost in surface._lost.values()
    surface.agenda.run(1 * S)
    surface.contacts[LEFT].set(False)
    other = Slot(Colour.YELLOW, 2)
    surface.contacts[other].set(True)
    surface.contacts[other].set(False)
    surface.contacts[RIGHT].set(True)
    line = surface.profile.line_of
    assert [each.line for each in live(surface, 1 * S) if isinstance(each, Edge)] == [line(RIGHT)]
    assert surface.levels()[line(LEFT)] is False
    book.end("left")
    gap, edge, back = surface.reports()
    assert gap == Gap(0, 0, 2 * S)
    assert isinstance(edge, Edge)
    assert (edge.line, edge.high, edge.t_ns, edge.wide_ns) == (line(LEFT), True, 2 * S, 2 * S)
    assert back == Health("left", Condition.OK)
    assert surface.levels()[line(LEFT)] is True
    assert surface.lost == set() and book.faults == []


def test_the_next_daemon_is_told_of_nothing_before_its_time(surface: Surface, book: FaultBook) -> None:
    book.begin("unplug left")
    surface.agenda.run(1 * S)
    surface.meet()
    surface.contacts[LEFT].set(True)
    (lost,) = live(surface, 1 * S)
    assert isinstance(lost, Health) and lost.condition is Condition.LOST
    book.end()
    assert surface.reports()[0] == Gap(0, 1 * S, 2 * S)


def test_a_sign_without_power_is_dark_and_then_says_what_was_sent_last(
    surface: Surface, book: FaultBook
) -> None:
    surface.show_page(("Before", ""))
    book.begin("unplug scoreboard 5s")
    assert surface.display.lines == ("", "")
    surface.show_page(TEXT)
    assert surface.display.lines == ("", "")
    (lost,) = live(surface, 4 * S)
    assert isinstance(lost, Health) and (lost.name, lost.seen) == ("scoreboard", "was unplugged")
    assert live(surface, 1 * S) == [Health("scoreboard", Condition.OK)]
    assert surface.display.lines == TEXT


def test_a_sign_that_was_sent_nothing_stays_blank(surface: Surface, book: FaultBook) -> None:
    book.begin("unplug scoreboard")
    book.end("scoreboard")
    assert surface.display.lines == ("", "")
    surface.show_page(TEXT)
    surface.go_dark()
    book.begin("unplug scoreboard")
    book.end("scoreboard")
    assert surface.display.lines == ("", "")


def test_the_lamps_of_a_lost_chip_are_dark(surface: Surface, book: FaultBook) -> None:
    profile = surface.profile
    lit = bytes([1]) * frame_length(profile.seats, profile.piles)
    of_chip = {wire.lamp for wire in profile.lamp_wires if wire.chip == "rows"}
    others = {wire.lamp for wire in profile.lamp_wires if wire.chip != "rows"}
    assert of_chip and others
    surface.show_frame(lit)
    book.begin("unplug rows")
    assert {lamp for lamp in of_chip if surface.leds.frame[lamp]} == set()
    assert all(surface.leds.frame[lamp] for lamp in others)
    book.end("rows")
    assert surface.leds.frame == lit


def test_a_lost_reader_reads_nothing_until_it_is_back() -> None:
    surface = surface_of("cards4")
    book = FaultBook(surface)
    book.begin("unplug pad-2 2s")
    surface.hold_to(Pad(2), Card(2, Colour.RED, 5))
    assert [type(each) for each in live(surface, 1 * S)] == [Health]
    read = [each for each in live(surface, 2 * S) if isinstance(each, TagRead)]
    assert [each.present for each in read] == [True]


def test_a_stuck_button_stays_down_whatever_is_done_to_it(surface: Surface, book: FaultBook) -> None:
    line = surface.profile.line_of(Button(2))
    book.begin("stuck seat 2")
    assert surface.levels()[line] is False
    surface.contacts[Button(2)].set(True)
    surface.contacts[Button(2)].set(False)
    assert surface.levels()[line] is False
    book.end("seat 2")
    assert surface.levels()[line] is True


def test_a_storm_ends_after_its_time(surface: Surface, book: FaultBook) -> None:
    book.begin("storm red 3 2s")
    edges = [each for each in live(surface, 1 * S) if isinstance(each, Edge)]
    assert len(edges) > 50 and {each.line for each in edges} == {surface.profile.line_of(Slot(Colour.RED, 3))}
    live(surface, 1 * S + 1 * MS)
    assert book.faults == [] and live(surface, 5 * S) == []
    assert surface.levels()[edges[0].line] is True


def test_the_time_of_a_fault_that_was_taken_back_ends_no_other_one(surface: Surface, book: FaultBook) -> None:
    book.begin("stuck seat 2 2s")
    book.end("seat 2")
    again = book.begin("stuck seat 2")
    assert again == Fault("stuck", "seat 2", None)
    live(surface, 5 * S)
    assert book.faults == [again]


def test_faults_are_ended_one_by_one_or_all(surface: Surface, book: FaultBook) -> None:
    for text in ("stuck seat 1", "unplug left", "storm blue 6"):
        book.begin(text)
    book.end("left")
    assert [each.target for each in book.faults] == ["seat 1", "blue 6"]
    book.end()
    assert book.faults == [] and surface.lost == set()
    book.end()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("storm", "'storm' is not a fault; it looks like 'storm seat 2 3s'"),
        ("strom seat 1", "fault 'strom' is unknown; did you mean 'storm'?"),
        ("hang i2c", "fault 'hang' is unknown; known: unplug, stuck, storm"),
        ("unplug pad-1", "fault 'unplug': 'pad-1' can't have it; allowed: left, right, rows, scoreboard"),
        ("stuck red 1", "fault 'stuck': 'red 1' can't have it; allowed: seat 1, seat 2, seat 3, seat 4"),
        ("storm seat 1 0s", "a fault lasts at most 60min; without a time, until you end it"),
        ("storm seat 1 61min", "a fault lasts at most 60min; without a time, until you end it"),
        ("storm seat 1 3x", "'3x' is no duration; write a number and ns, us, ms, s or min, as in 200ms"),
        ("stuck seat 4", "seat 4 has the fault 'storm' already; end that first"),
    ],
)
def test_what_can_not_go_wrong_is_refused(text: str, why: str, surface: Surface, book: FaultBook) -> None:
    book.begin("storm seat 4")
    with pytest.raises(MalformedText) as refused:
        book.begin(text)
    assert str(refused.value) == why
    assert [each.target for each in book.faults] == ["seat 4"] and surface.lost == set()


def test_what_is_well_can_not_be_ended(book: FaultBook) -> None:
    with pytest.raises(MalformedText, match=r"^'left' has no fault; nothing has one$"):
        book.end("left")
    book.begin("stuck seat 1")
    with pytest.raises(MalformedText, match=r"^'left' has no fault; these have: seat 1$"):
        book.end("left")


@pytest.mark.parametrize(
    "profile", ["dice4", "dice4-direct", "dice4-rfid", "cards4", "cards2", "cards2-piles", "cards12"]
)
def test_everything_that_can_go_wrong_goes_wrong_and_well_again(profile: str) -> None:
    surface = surface_of(profile)
    book = FaultBook(surface)
    before = surface.levels()
    for kind, row in possible(surface).items():
        targets = row["what"]
        assert targets and len(set(targets)) == len(targets)
        for target in targets:
            assert str(book.begin(f"{kind} {target}").kind) in SURFACE_FAULTS
            assert live(surface, 100 * MS)
            book.end(target)
            live(surface, 100 * MS)
    assert surface.levels() == before and surface.lost == set()


# -- on an operator's word


class Asked:
    """The socket of a surface that moves only as far as it is told to."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.surface = Surface(load_profile("dice4"), Random(1))
        self.come_ups = 0
        self.socket = FaultSocket(self.surface, self._come_up, path)
        self.socket.look()

    def _come_up(self) -> None:
        self.come_ups += 1

    def ask(self, line: bytes) -> Any:
        with socket.socket(socket.AF_UNIX) as asking:
            asking.connect(str(self.path))
            asking.sendall(line + b"\n")
            for _ in range(3):  # it is let in, then heard
                self.socket.look()
            return json.loads(asking.recv(1 << 16))

    def tell(self, text: str, **more: Any) -> Any:
        return self.ask(json.dumps({"tell": text, **more}).encode())


@pytest.fixture
def asked(tmp_path: Path) -> Iterator[Asked]:
    made = Asked(tmp_path / "faults.sock")
    yield made
    made.socket.close()


def test_only_its_own_user_may_connect(asked: Asked) -> None:
    assert asked.path.stat().st_mode & 0o777 == 0o600


def test_a_fault_begins_is_told_of_and_ends(asked: Asked) -> None:
    assert asked.tell("")["faults"] == []
    begun = asked.tell("unplug left 3s", id=7)
    assert (begun["id"], begun["ok"]) == (7, True)
    assert begun["faults"] == [{"kind": "unplug", "what": "left", "left_s": 3.0}]
    assert asked.surface.lost == {"left"}
    asked.surface.agenda.run(1 * S)
    assert asked.tell("stuck seat 2")["faults"] == [
        {"kind": "unplug", "what": "left", "left_s": 2.0},
        {"kind": "stuck", "what": "seat 2"},
    ]
    assert asked.tell("end left")["faults"] == [{"kind": "stuck", "what": "seat 2"}]
    assert asked.tell(" end ")["faults"] == []
    assert asked.surface.lost == set()
    assert asked.come_ups == 5


def test_it_says_what_can_go_wrong(asked: Asked) -> None:
    possible = asked.tell("")["possible"]
    assert set(possible) == {"unplug", "stuck", "storm"}
    assert possible["unplug"]["what"] == ["left", "right", "rows", "scoreboard"]
    assert possible["storm"]["what"][:5] == ["seat 1", "seat 2", "seat 3", "seat 4", "red 1"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"nonsense", 'a line looks like {"tell":"storm seat 2 3s"}'),
        (b"\xff\xfe", 'a line looks like {"tell":"storm seat 2 3s"}'),
        (b"[" * 3000, 'a line looks like {"tell":"storm seat 2 3s"}'),
        (b'["storm seat 2"]', 'a line looks like {"tell":"storm seat 2 3s"}'),
        (b'{"tell":5}', 'a line looks like {"tell":"storm seat 2 3s"}'),
        (b'{"do":"sit","seat":2}', 'a line looks like {"tell":"storm seat 2 3s"}'),
        (b'{"tell":"hang i2c"}', "fault 'hang' is unknown; known: unplug, stuck, storm"),
        (b'{"tell":"end left"}', "'left' has no fault; nothing has one"),
    ],
)
def test_nonsense_is_refused_with_the_reason(line: bytes, why: str, asked: Asked) -> None:
    assert asked.ask(line) == {"ok": False, "why": why}
    assert asked.tell("")["faults"] == []


def test_two_sockets_at_one_path_are_not_possible(asked: Asked) -> None:
    with pytest.raises(SocketUnusable):
        FaultSocket(asked.surface, lambda: None, asked.path)
